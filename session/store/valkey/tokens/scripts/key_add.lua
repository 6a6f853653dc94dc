-- Keeps an API key. Arguments: its hash, time of its creation, names and values of its fields; the last value tells calls apart.
local key = P .. 'key:' .. arg(1)
local before = redis.call('HGET', key, 'call')
if before == ARGV[#ARGV] then
  redis.call('HSET', key, 'call', before) -- a write for the caller to wait for on its connection
  return 'OK'
end
if redis.call('EXISTS', key) == 1 then return fail('EXISTS') end
for i = 3, #ARGV - 1, 2 do redis.call('HSET', key, arg(i), arg(i + 1)) end
redis.call('ZADD', P .. 'keys', arg(2), arg(1))
redis.call('INCR', P .. 'kept') -- see keptKeys
return 'OK'
