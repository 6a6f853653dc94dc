-- Tells whether the append-only file is to be written anew. Arguments: least time between two rewrites in milliseconds, and
-- after one was begun the answer that it was begun for. Answer: nil, or the time of the last deletion that it is for.
local pause, begun = tonumber(arg(1)), arg(2)
local erase = redis.call('GET', P .. 'erase')
if begun then
  if erase == begun then redis.call('DEL', P .. 'erase') end
  redis.call('SET', P .. 'erased', string.format('%.0f', now))
  return false
end
if not erase or now - (tonumber(redis.call('GET', P .. 'erased') or 0)) < pause then return false end
return erase
