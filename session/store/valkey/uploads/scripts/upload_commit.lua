-- Makes an upload of the bytes in a folder. Arguments: id, folder, when it was made in milliseconds from now, names and values of its
-- fields. Answer: LOST where the folder was given up meanwhile.
local id, folder = arg(1), arg(2)
local key = P .. 'upload:' .. id
local before = redis.call('HGET', key, 'folder')
if before == folder then
  redis.call('HSET', key, 'folder', folder) -- a write for the caller to wait for on its connection
  return 'OK'
end
if before then return fail('EXISTS') end
if redis.call('ZREM', P .. 'arriving', folder) == 0 then return fail('LOST') end
redis.call('HSET', key, 'folder', folder)
for i = 4, #ARGV - 1, 2 do redis.call('HSET', key, arg(i), arg(i + 1)) end
held_add(unpack(redis.call('HMGET', key, 'account', 'key', 'size')))
local made = text(now + tonumber(arg(3)))
redis.call('HSET', key, 'made', made)
redis.call('ZADD', P .. 'unused', made, id)
return 'OK'
