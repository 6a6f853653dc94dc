-- Takes a unit of those that come back evenly. What is kept is the time, in microseconds, at which all are back. Arguments: name, how many
-- units there are, in how many microseconds all come back. Answer: how many are left, in how many microseconds there is one (0: it was taken).
local key, most, window = P .. 'rate:' .. arg(1), tonumber(arg(2)), tonumber(arg(3))
local at = now * 1000
if ARGV[1] == '' then
  local t = redis.call('TIME')
  at = t[1] * 1000000 + t[2]
end
local each = window / most
local full = math.max(tonumber(redis.call('GET', key) or at), at) + each
if full - at > window + 0.5 then return {0, math.ceil(full - at - window)} end
redis.call('SET', key, text(full), 'PX', text(math.ceil((full - at) / 1000) + 1000))
return {math.floor((window - (full - at)) / each + 0.001), 0}
