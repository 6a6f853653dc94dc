-- Deletes an upload that no record refers to. Arguments: account, id. Answer: the folder that is to be emptied.
local account, id = arg(1), arg(2)
local key = P .. 'upload:' .. id
if not upload_is(account, id) then return fail('NOTFOUND') end
if redis.call('EXISTS', key .. ':records') == 1 then return fail('USED') end
local folder, by, size = unpack(redis.call('HMGET', key, 'folder', 'key', 'size'))
redis.call('DEL', key)
held_less(account, by, size)
redis.call('ZREM', P .. 'unused', id)
folder_gone(folder)
return folder
