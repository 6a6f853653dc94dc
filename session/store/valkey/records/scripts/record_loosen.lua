-- Takes the result from a finished record, and fields back that are in its archive, which is to be deleted. Arguments: account, id, revision
-- of the record; names and values of the fields. Answer: OK, or changed where another has changed the record meanwhile.
local account, id, revision = arg(1), arg(2), arg(3)
local key = record_key(id)
if not record_is(account, id) then return fail('NOTFOUND') end
local current, archived = unpack(redis.call('HMGET', key, 'revision', 'archived'))
if (current or '') ~= revision then return 'changed' end
redis.call('HDEL', key, 'result', 'archived', 'archived_bytes', 'has_result', 'described')
redis.call('HINCRBY', key, 'revision', 1)
for i = 4, #ARGV - 1, 2 do redis.call('HSET', key, arg(i), arg(i + 1)) end
if archived then redis.call('HSET', key, 'stale', archived) end
return 'OK'
