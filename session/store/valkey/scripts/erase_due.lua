-- Tells whether the append-only file is to be written anew. Arguments: least time between two rewrites in milliseconds; then,
-- after the server was asked, "begun" and what this script had answered, "" where the server has refused. Answer: nil, or the
-- time of the last deletion.
local pause, begun, asked = tonumber(arg(1)), arg(2), arg(3)
local erase = redis.call('GET', P .. 'erase')
if begun then
  if erase == asked then redis.call('DEL', P .. 'erase') end
  redis.call('SET', P .. 'erased', string.format('%.0f', now))
  return false
end
if not erase or now - (tonumber(redis.call('GET', P .. 'erased') or 0)) < pause then return false end
return erase
