-- Gives a claim back. Arguments, after those of claim.lua: in how many milliseconds other nodes may adopt the session. A claim
-- that has ended stays so.
spare()
local key = session_key(id)
if redis.call('HGET', key, 'nonce') == nonce then
  redis.call('HDEL', key, 'nonce', 'node', 'until')
  redis.call('HSET', key, 'left', integer(now))
  redis.call('ZADD', P .. 'due', 'XX', integer(now + tonumber(arg(5))), id)
  -- What was logged after the end is not in the archive yet, nor described.
  if is_finished(redis.call('HGET', record_key(id), 'status')) then redis.call('ZADD', P .. 'archive', 'NX', integer(now), id) end
end
return 'ok'
