-- Gives up a folder whose upload was not committed as far as its writer knows; where it was, it is deleted unless a record refers
-- to it. Arguments: id, folder.
local id, folder = arg(1), arg(2)
local key = P .. 'upload:' .. id
if redis.call('HGET', key, 'folder') == folder then
  if redis.call('EXISTS', key .. ':records') == 1 then return fail('USED') end
  redis.call('DEL', key)
  redis.call('ZREM', P .. 'unused', id)
end
redis.call('ZREM', P .. 'arriving', folder)
folder_gone(folder)
return 'OK'
