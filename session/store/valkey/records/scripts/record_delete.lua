-- Deletes a record with all that belongs to it. Arguments: account, id, "finished" where only a finished one may go, mark of the erasure. Answer: the
-- folders of blobs that are to be removed.
local account, id, only = arg(1), arg(2), arg(3)
local key = record_key(id)
local owner, kind, status, created, folder, token, upload, lists = unpack(redis.call('HMGET', key,
  'account', 'kind', 'status', 'created', 'folder', 'token', 'upload', 'lists'))
if owner ~= account then return fail('NOTFOUND') end
if only ~= '' and not is_finished(status) then return fail('NOTFINISHED') end
local member = list_member(created, id)
redis.call('ZREM', list_key(account, kind, status), member)
for i = 1, #(lists or ''), 22 do redis.call('ZREM', P .. 'metadata:' .. string.sub(lists, i, i + 21), member) end
if token then
  local hex = string.gsub(token, '.', function(c) return string.format('%02x', string.byte(c)) end)
  redis.call('DEL', P .. 'record:token:' .. hex)
end
held_less(account, unpack(redis.call('HMGET', key, 'key', 'held')))
redis.call('ZREM', P .. 'finished', id)
redis.call('ZREM', P .. 'archive', id)
redis.call('ZREM', P .. 'transient', id)
queue_remove(id)
local answer = {folder}
folder_gone(folder)
if upload and upload_leave(upload, id) then answer[2] = upload_remove(upload) end
erasure_note(arg(4))
if not record_gone(id) then redis.call('HDEL', key, 'account') end -- not found by anyone; removeFolder goes on
return answer
