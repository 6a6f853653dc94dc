-- Lists events of a session. Arguments: account, empty for any; id; number to begin after; how many at most. Answer: the
-- archive of its events and the number of the last one in it, then the numbers and fields of those in the log.
local account, id, after, limit = arg(1), arg(2), tonumber(arg(3)), arg(4)
if account ~= '' and not record_is(account, id) or redis.call('EXISTS', record_key(id)) == 0 then return fail('NOTFOUND') end
local state = redis.call('HMGET', session_key(id), 'archive', 'archived')
return {
  state[1] or '', state[2] or '0',
  redis.call('XRANGE', session_key(id, 'events'), integer(after + 1), '+', 'COUNT', limit),
}
