-- Notes that fields of a finished record are in an archive and that the record is described, and takes it off those to be archived.
-- Arguments: id, folder, revision that was archived, name of the archive ("": nothing was moved), bytes in it, whether it has a result,
-- the fields. Answer: name of an archive in the folder that has no use any more, or ""; 1, or 0 where the record was changed or deleted
-- meanwhile.
local id, folder, revision, name, bytes, has_result = arg(1), arg(2), arg(3), arg(4), arg(5), arg(6)
local key = record_key(id)
local there, current, before = unpack(redis.call('HMGET', key, 'folder', 'revision', 'archived'))
if not there then redis.call('ZREM', P .. 'archive', id) end
if (there or '') ~= folder or (current or '') ~= revision then return {name, 0} end
redis.call('ZREM', P .. 'archive', id)
if name == '' or before == name then
  redis.call('HSET', key, 'described', 1)
  return {'', 1}
end
redis.call('HSET', key, 'archived', name, 'archived_bytes', bytes, 'described', 1)
if has_result ~= '' then redis.call('HSET', key, 'has_result', has_result) end
for i = 7, #ARGV - 1 do redis.call('HDEL', key, arg(i)) end
-- A hash stays a table of pointers once it was one; written anew it is as small as its values allow.
local rest = redis.call('HGETALL', key)
redis.call('DEL', key)
redis.call('HSET', key, unpack(rest))
return {before or '', 1}
