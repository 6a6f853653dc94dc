-- Keeps a token, after forgetting some that have expired. Arguments: its hash, id, account, its key's hash, time of its
-- creation, in how many milliseconds it ends, how many its key may have, names and values of its fields; the last value tells calls apart.
local hash, id, account, key, created, most = arg(1), arg(2), arg(3), arg(4), arg(5), tonumber(arg(7))
if redis.call('HGET', P .. 'token:' .. hash, 'call') == ARGV[#ARGV] then
  redis.call('HSET', P .. 'token:' .. hash, 'call', ARGV[#ARGV]) -- a write for the caller to wait for on its connection
  return 'OK'
end
local time, ends = text(now), text(now + tonumber(arg(6)))
for _, ended in ipairs(redis.call('ZRANGEBYSCORE', P .. 'tokens', '-inf', time, 'LIMIT', 0, 100)) do token_forget(ended) end
for _, former in ipairs({hash, redis.call('GET', P .. 'token:id:' .. id) or ''}) do
  if redis.call('EXISTS', P .. 'token:' .. former) == 1 then
    if token_left(former) > 0 then return fail('EXISTS') end
    token_forget(former)
  end
end
local tokens = P .. 'key:' .. key .. ':tokens'
if redis.call('ZCOUNT', tokens, '(' .. time, '+inf') >= most then return fail('TOOLARGE') end
for i = 8, #ARGV - 1, 2 do redis.call('HSET', P .. 'token:' .. hash, arg(i), arg(i + 1)) end
for _, session in ipairs(cjson.decode(redis.call('HGET', P .. 'token:' .. hash, 'sessions') or '[]')) do
  if record_is(account, session) then redis.call('ZADD', session_tokens(session), ends, hash) end
end
redis.call('HSET', P .. 'token:' .. hash, 'ends', ends)
redis.call('SET', P .. 'token:id:' .. id, hash)
redis.call('ZADD', P .. 'tokens:' .. account, created, hash)
redis.call('ZADD', tokens, ends, hash)
redis.call('ZADD', P .. 'tokens', ends, hash)
return 'OK'
