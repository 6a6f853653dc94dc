-- Drops what a finished session has on the server, after it was written to blob storage. Arguments: id; generation, number of
-- the last event and size of the journal that were written; the object of the events and the number of the last one in it; the
-- entry of the manifest of the object that has the journal, empty for none. Answer: 1, or 0 where the session is not as it was.
local id, key = arg(1), session_key(arg(1))
local status = redis.call('HGET', record_key(id), 'status')
local state = redis.call('HMGET', key, 'nonce', 'generation', 'seq', 'size')
if status ~= 'done' and status ~= 'error' or state[1] then return 0 end
if (state[2] or '') ~= arg(2) or (state[3] or '') ~= arg(3) or (state[4] or '') ~= arg(4) then return 0 end
for _, part in ipairs({'events', 'pages', 'tail', 'segments', 'checkpoints', 'sent', 'silences'}) do
  redis.call('UNLINK', session_key(id, part))
end
local notes = redis.call('HGETALL', session_key(id, 'notes'))
for i = 1, #notes, 2 do -- those that are sealed have the keys of the journal
  if not string.find(notes[i + 1], ' \0sz', 1, true) then redis.call('HDEL', session_key(id, 'notes'), notes[i]) end
end
if arg(7) ~= '' then
  redis.call('RPUSH', session_key(id, 'segments'), arg(7))
  redis.call('HSET', key, 'start', arg(4), 'stored', arg(4))
end
redis.call('HSET', key, 'archive', arg(5), 'archived', arg(6))
-- Segments and pages stay for a while: a server that is promoted may not know yet that they are not needed.
local folder, late = redis.call('HGET', record_key(id), 'folder'), integer(now + 600000)
redis.call('ZADD', P .. 'removals:late', late, folder .. 'audio/', late, folder .. 'events/')
return 1
