-- Gives an unfinished live record another status. Arguments: account, id, status.
local account, id, status = arg(1), arg(2), arg(3)
if not record_is(account, id) then return fail('NOTFOUND') end
local kind, before = unpack(redis.call('HMGET', record_key(id), 'kind', 'status'))
if is_finished(before) then return fail('FINISHED') end
if kind ~= 'live' then return fail('INVALID') end
record_status(id, status)
return 'OK'
