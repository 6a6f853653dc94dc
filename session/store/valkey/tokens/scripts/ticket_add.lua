-- Keeps a ticket, after forgetting some that have expired. Arguments: its hash, that of its credential, in how many milliseconds it
-- ends, how many a credential may have, a number that tells calls apart.
local hash, credential, most, call = arg(1), arg(2), tonumber(arg(4)), arg(5)
local key, list, time, expires = P .. 'ticket:' .. hash, P .. 'tickets:' .. credential, text(now), text(now + tonumber(arg(3)))
if redis.call('HGET', key, 'call') == call then
  redis.call('HSET', key, 'call', call) -- a write for the caller to wait for on its connection
  return 'OK'
end
for _, ended in ipairs(redis.call('ZRANGEBYSCORE', P .. 'tickets', '-inf', time, 'LIMIT', 0, 100)) do
  redis.call('ZREM', P .. 'tickets:' .. (redis.call('HGET', P .. 'ticket:' .. ended, 'credential') or ''), ended)
  redis.call('DEL', P .. 'ticket:' .. ended)
  redis.call('ZREM', P .. 'tickets', ended)
end
if redis.call('EXISTS', key) == 1 then return fail('EXISTS') end
if redis.call('ZCOUNT', list, '(' .. time, '+inf') >= most then return fail('TOOLARGE') end
redis.call('HSET', key, 'credential', credential, 'expires', expires, 'call', call)
redis.call('ZADD', list, expires, hash)
redis.call('ZADD', P .. 'tickets', expires, hash)
return 'OK'
