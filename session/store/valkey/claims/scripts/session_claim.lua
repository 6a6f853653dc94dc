-- Claims a session. Arguments: id; nonce of the claim; node; lease and resume window, in milliseconds; whose claim is taken
-- over: "" for none, "*" for any, else the nonce of one. Answer: generation; time left of the lease; fields of the session's hash;
-- then as lists checkpoints (lane and body), boundaries sent, silences, segments, the tail's pieces; the record; and the pages of
-- events; and notes (number, and place and body). Run again with the same nonce it
-- answers the same.
local id, nonce, node, lease, window, from = arg(1), arg(2), arg(3), tonumber(arg(4)), tonumber(arg(5)), arg(6)
local key = session_key(id)
local account, kind, status, created = unpack(redis.call('HMGET', record_key(id), 'account', 'kind', 'status', 'created'))
if not account then return fail('NOTFOUND') end
local held, ends, generation, left = unpack(redis.call('HMGET', key, 'nonce', 'until', 'generation', 'left'))
if held ~= nonce then
  local began = server_began()
  local lasts = number(ends) > now or now < began + lease
  if held and lasts and from ~= '*' and from ~= held then return fail('CLAIMED ' .. held) end
  session_rung(id)
  -- A holder that has not renewed its lease on this server may have written what the server has lost.
  local seen = number(held and ends or left)
  if began > 0 and seen > began - 60000 and seen < began + (held and lease or 0) then
    redis.call('HINCRBY', P .. 'server', 'epoch', 1)
  end
  session_note_loss(id, kind == 'live' and not is_finished(status), held and ends, left or created)
  -- The time is part of the generation: a server that was promoted and lacks the last claims gives none of theirs again.
  generation = integer(math.max(number(generation) + 1, now))
  redis.call('HSET', key, 'nonce', nonce, 'node', node, 'generation', generation, 'version', 0, 'until', 0,
    'seized', from ~= '' and 1 or 0)
  ends = 0
end
if kind == 'live' and not is_finished(status) then redis.call('ZADD', P .. 'due', 'NX', integer(now), id) end
return {
  generation, session_renew(id, ends, lease, window),
  redis.call('HMGET', key, 'size', 'start', 'stored', 'seq', 'boundary', 'confirmed', 'archived'),
  redis.call('HGETALL', session_key(id, 'checkpoints')),
  redis.call('LRANGE', session_key(id, 'sent'), 0, -1),
  redis.call('SMEMBERS', session_key(id, 'silences')),
  redis.call('LRANGE', session_key(id, 'segments'), 0, -1),
  redis.call('LRANGE', session_key(id, 'tail'), 0, -1),
  redis.call('HGETALL', record_key(id)),
  redis.call('LRANGE', session_key(id, 'pages'), 0, -1),
  redis.call('HGETALL', session_key(id, 'notes')),
}
