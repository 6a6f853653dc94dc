-- Makes durable what the holder of a session has accepted. Arguments, after those of claim.lua:
--
--	lease, window              in milliseconds
--	expected, version          number of the last call that was answered, and of this one
--	offset, audio              a piece of the journal and where it begins
--	last                       number of the last event that is durable
--	n, (seq, kind, key, body, account)*    events, ascending; account is 1 for those that the account's log has
--	n, (lane, checkpoint)*
--	reset                      1: the marks and checkpoints given are all there are
--	n, boundary*               sent, ascending
--	boundary, seq              confirmed
--	n, silence*
--	stopped                    1: no audio follows
--
-- Answer: "behind", where the server lacks what it had; else "ok", the size of the journal, the number of the last event, the
-- time left of the lease, and how many follow the events that are not logged. A call that was carried out changes nothing.
local most_sent = 1024 -- store.MaxSent
local cursor = 4
local function take() cursor = cursor + 1 return arg(cursor) end
local lease, window, expected, version = tonumber(take()), tonumber(take()), tonumber(take()), tonumber(take())
local offset, audio, last_seq = tonumber(take()), take(), tonumber(take())

local failure, behind, done, size, seq, ends = claim_state('version', 'size', 'seq', 'until')
if failure then return failure end
done, size, seq = number(done), number(size), number(seq)
if behind or done < expected or offset > size or last_seq > seq then return {'behind'} end

local function answer()
  local follow = redis.call('PUBSUB', 'NUMSUB', P .. 'wake:unlogged:' .. id)
  return {'ok', integer(size), integer(seq), session_renew(id, ends, lease, window), integer(number(follow[2]))}
end
if done >= version then
  redis.call('HSET', session_key(id), 'version', integer(done)) -- a write for the caller to wait for on its connection
  return answer()
end

if #audio > 0 and offset + #audio > size then
  redis.call('RPUSH', session_key(id, 'tail'), offset < size and string.sub(audio, size - offset + 1) or audio)
  size = offset + #audio
end

local account = redis.call('HGET', record_key(id), 'account')
local logged, bytes = false, 0
for _ = 1, tonumber(take()) do
  local n, kind, key, body, listed = tonumber(take()), take(), take(), take(), take()
  if n > seq then
    redis.call('XADD', session_key(id, 'events'), integer(n) .. '-0', 'kind', kind, 'key', key, 'body', body)
    seq, logged, bytes = n, true, bytes + #body
    if listed == '1' then account_append(account, id, n) end
  end
end
local checkpoints = {}
for _ = 1, 2 * tonumber(take()) do checkpoints[#checkpoints + 1] = take() end
local reset = take() == '1'
if reset then
  redis.call('DEL', session_key(id, 'checkpoints'), session_key(id, 'sent'), session_key(id, 'silences'))
end
if #checkpoints > 0 then redis.call('HSET', session_key(id, 'checkpoints'), unpack(checkpoints)) end

local sent = session_key(id, 'sent')
local last = number(redis.call('LINDEX', sent, -1))
for _ = 1, tonumber(take()) do
  local boundary = tonumber(take())
  if boundary > last then
    redis.call('RPUSH', sent, integer(boundary))
    if redis.call('LLEN', sent) > most_sent then redis.call('LREM', sent, 1, redis.call('LINDEX', sent, most_sent / 2)) end
    last = boundary
  end
end
local boundary, confirmed = tonumber(take()), tonumber(take())
while number(redis.call('LINDEX', sent, 0)) <= boundary and redis.call('LPOP', sent) do end
for _ = 1, tonumber(take()) do redis.call('SADD', session_key(id, 'silences'), take()) end
if take() == '1' then redis.call('HSET', record_key(id), 'stopped', '1') end

redis.call('HSET', session_key(id), 'version', version, 'size', integer(size), 'seq', integer(seq),
  'boundary', integer(boundary), 'confirmed', integer(confirmed))
if bytes > 0 then redis.call('HINCRBY', session_key(id), 'bytes', bytes) end
if logged then redis.call('PUBLISH', P .. 'wake:session:' .. id, '1') end
return answer()
