-- Erases parts of a finished record, whose objects in blob storage were deleted. Arguments: account; id; the parts; which were erased before
-- and are now; and the fields archive, size and seq of its session, when the objects were looked for; mark of the erasure. Answer: OK, changed where the session
-- was written to or archived meanwhile, or the folder of its upload, which goes as well.
local account, id, parts, all = arg(1), arg(2), arg(3), arg(4)
local key, session = record_key(id), session_key(id)
local owner, status, folder, upload, transient = unpack(redis.call('HMGET', key, 'account', 'status', 'folder', 'upload', 'transient'))
if owner ~= account then return fail('NOTFOUND') end
if not is_finished(status) then return fail('NOTFINISHED') end
local state = redis.call('HMGET', session, 'nonce', 'archive', 'size', 'seq')
if state[1] then return fail('CLAIMED') end
if (state[2] or '') ~= arg(5) or (state[3] or '') ~= arg(6) or (state[4] or '') ~= arg(7) then return 'changed' end
local function has(part) return string.find(parts, part, 1, true) end
local answer = 'OK'
redis.call('SET', P .. 'erase', text(now))
redis.call('HDEL', key, 'stale')
if has('transcripts') then
  for _, delivery in ipairs(redis.call('ZRANGE', outbox_key(id) .. ':all', 0, -1)) do
    local d = delivery_load(delivery)
    if d and d.state ~= 'pending' then
      d.failure = ''
      redis.call('DEL', delivery_key(delivery) .. ':body')
      delivery_save(delivery, d)
    end
  end
end
if has('messages') then
  for _, part in ipairs({'events', 'pages', 'checkpoints', 'silences', 'notes'}) do redis.call('UNLINK', session_key(id, part)) end
  if state[1] or state[2] or state[3] or state[4] then redis.call('HSET', session, 'seq', 0, 'archived', 0, 'archive', 'none') end
  redis.call('ZADD', P .. 'removals', text(now), folder .. 'events/')
end
if has('audio') then
  for _, part in ipairs({'tail', 'segments', 'sent'}) do redis.call('UNLINK', session_key(id, part)) end
  if state[3] then redis.call('HSET', session, 'size', 0, 'start', 0, 'stored', 0) end
  redis.call('ZADD', P .. 'removals', text(now), folder .. 'audio/')
  held_less(unpack(redis.call('HMGET', key, 'account', 'key', 'held')))
  redis.call('HDEL', key, 'held', 'upload')
  if upload and upload_leave(upload, id) then answer = upload_remove(upload) end
end
erasure_note(arg(8))
redis.call('HSET', key, 'stripped', all)
redis.call('HINCRBY', key, 'revision', 1)
redis.call('HDEL', key, 'described')
redis.call('ZADD', P .. 'archive', text(now), id)
if parts_left(transient, all) == 0 then redis.call('ZREM', P .. 'transient', id) end
return answer
