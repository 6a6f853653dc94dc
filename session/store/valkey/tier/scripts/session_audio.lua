-- Tells where the journal of a session is. Arguments: account, empty for any; id. Answer: its size, where the tail begins, the
-- segments, the pieces of the tail.
local account, id = arg(1), arg(2)
if account ~= '' and not record_is(account, id) or redis.call('EXISTS', record_key(id)) == 0 then return fail('NOTFOUND') end
if account ~= '' and bit.band(tonumber(redis.call('HGET', record_key(id), 'stripped') or 0), 1) ~= 0 then return fail('ERASED') end
local state = redis.call('HMGET', session_key(id), 'size', 'start')
return {
  state[1] or '0', state[2] or '0',
  redis.call('LRANGE', session_key(id, 'segments'), 0, -1), redis.call('LRANGE', session_key(id, 'tail'), 0, -1),
}
