-- Keeps a new record. Arguments: id, folder of its blobs, in how many milliseconds its session is due ("": after the resume window),
-- resume window, its token's hash, how many live sessions of its account may be unfinished ("0": any number), how many lists of metadata it
-- is in, their names, then names and values of its fields. Answer: OK, also where an earlier call with the same folder made it.
local id, folder, due, window, token, most, lists = arg(1), arg(2), arg(3), tonumber(arg(4)), arg(5), tonumber(arg(6)), tonumber(arg(7))
local key, r, fields = record_key(id), {}, {'folder', folder}
local before = redis.call('HGET', key, 'folder')
if before == folder then
  redis.call('HSET', key, 'folder', folder) -- a write for the caller to wait for on its connection
  return 'OK'
end
if before or token ~= '' and redis.call('EXISTS', P .. 'record:token:' .. token) == 1 then return fail('EXISTS') end
for i = 8 + lists, #ARGV - 1, 2 do
  r[arg(i)] = arg(i + 1)
  fields[#fields + 1], fields[#fields + 2] = arg(i), arg(i + 1)
end
if r.upload and not upload_is(r.account, r.upload) then return fail('NOTFOUND') end
if most > 0 and live_count(r.account) >= most then return fail('QUOTA') end

redis.call('HSET', key, unpack(fields))
if token ~= '' then redis.call('SET', P .. 'record:token:' .. token, id) end
local member, names = list_member(r.created, id), {}
redis.call('ZADD', list_key(r.account, r.kind, r.status), 0, member)
for i = 8, 7 + lists do
  names[#names + 1] = arg(i)
  redis.call('ZADD', P .. 'metadata:' .. arg(i), 0, member)
end
if lists > 0 then redis.call('HSET', key, 'lists', table.concat(names)) end
if r.upload then
  redis.call('SADD', P .. 'upload:' .. r.upload .. ':records', id)
  redis.call('ZREM', P .. 'unused', r.upload)
end
if is_finished(r.status) then
  record_ended(id, r.completed or r.created)
elseif r.kind == 'live' then
  session_add(id, text(now + (tonumber(due) or window)))
else
  queue_add(id, r.account, r.upload and 'work' or 'fetch', r.created)
end
return 'OK'
