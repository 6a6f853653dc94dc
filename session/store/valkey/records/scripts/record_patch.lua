-- Keeps the post-session metadata of a record. Arguments: account, id, revision that it was read at, the whole object.
-- Answer: OK, or "changed" where the record has another revision by now.
local account, id, revision, object = arg(1), arg(2), arg(3), arg(4)
local key = record_key(id)
local owner, current, status = unpack(redis.call('HMGET', key, 'account', 'revision', 'status'))
if owner ~= account then return fail('NOTFOUND') end
if (current or '') ~= revision then return 'changed' end
redis.call('HSET', key, 'post', object)
redis.call('HINCRBY', key, 'revision', 1)
if is_finished(status) then redis.call('ZADD', P .. 'archive', 'NX', string.format('%.0f', now), id) end
return 'OK'
