-- Makes durable what holders of sessions have accepted: of many sessions at once, of each all or nothing. Arguments: lease and
-- resume window in milliseconds, then of each session
--
--	count                      how many arguments follow of this session
--	id, nonce                  of the session and the claim
--	expected, version          number of the last commit that was answered, and of this one
--	last                       number of the last event that is durable
--	offset, audio              a piece of the journal and where it begins
--	flags                      letters; r: marks and checkpoints are given as a whole; s: boundaries are; f: it is asked how many
--	                           follow the events that are not logged; c: changes follow the boundaries
--	n, boundary*               boundaries sent
--	account                    of the record
--	n, (seq, kind, key, body, listed)*    events, ascending; listed is 1 for those that the account's log has
--	n, (lane, checkpoint)*
--	boundary, seq              confirmed
--	n, silence*
--	n, (number, note)*
--	stopped                    1: no audio follows
--
-- Answer, of each session: the milliseconds left of its lease, or an error, "behind" where the server lacks what it had, "other"
-- where the claim is not the one that it knows; then how many follow, -1 where that was not asked. A commit that was carried out
-- changes nothing, and one that failed halfway can be sent again: what it has written is found there. Where none of what is marked by letters is given, a commit costs four commands.
local argv, call, find, unpack = ARGV, redis.call, string.find, unpack
local lease, window = tonumber(arg(1)), tonumber(arg(2))
local renewable = lease * 2 / 3

-- left returns how many milliseconds a lease lasts yet, and renews it in time.
local function left(id, ends)
  ends = number(ends)
  if ends - now >= renewable then return ends - now end
  return number(session_renew(id, ends, lease, window))
end

-- followers returns how many follow the unlogged events of a session.
local function followers(id) return call('PUBSUB', 'NUMSUB', P .. 'wake:unlogged:' .. id)[2] end

-- append_event adds an event to a session's stream, unless it is there: from a commit that failed after it, or known to be. Another
-- event of its number is removed, with those behind it, and it reports that. A server that was killed while it wrote its append-only
-- file may have left a commit cut short in it, which it carries out after all when it reads the file for the second time: the commit
-- of a former holder, that the current one did not find.
local function append_event(id, number, known, kind, name, body)
  local events, entry = session_key(id, 'events'), integer(number) .. '-0'
  local added = not known and redis.pcall('XADD', events, entry, 'kind', kind, 'key', name, 'body', body)
  if type(added) == 'string' then return false end
  local there = call('XRANGE', events, entry, entry)[1]
  if not there and added then error(added) end
  if not there or there[2][4] == name and there[2][6] == body then return false end
  session_cut(id, number - 1)
  call('XADD', events, entry, 'kind', kind, 'key', name, 'body', body)
  return true
end

-- write_changes writes what is given from an argument on. seq is the number of the last event that the server has.
local function write_changes(id, key, cursor, seq)
  cursor = cursor - 1
  local function take() cursor = cursor + 1 return argv[cursor] end
  local account, bytes, first = take(), 0, seq
  for _ = 1, tonumber(take()) do
    local n, kind, name, body, listed = tonumber(take()), take(), take(), take(), take()
    if append_event(id, n, n <= seq, kind, name, body) then seq, first = n - 1, math.min(first, n - 1) end
    if n > seq then
      seq, bytes = n, bytes + #body
      if listed == '1' then account_append(account, id, n) end
    end
  end
  local checkpoints = {}
  for _ = 1, 2 * tonumber(take()) do checkpoints[#checkpoints + 1] = take() end
  if #checkpoints > 0 then call('HSET', key .. ':checkpoints', unpack(checkpoints)) end
  local boundary, confirmed = take(), take()
  for _ = 1, tonumber(take()) do call('SADD', key .. ':silences', take()) end
  for _ = 1, tonumber(take()) do call('HSET', key .. ':notes', take(), take()) end
  if take() == '1' then call('HSET', record_key(id), 'stopped', '1') end
  call('HSET', key, 'seq', integer(seq), 'boundary', boundary, 'confirmed', confirmed)
  if bytes > 0 then call('HINCRBY', key, 'bytes', bytes) end
  if seq > first then call('PUBLISH', P .. 'wake:session:' .. id, '1') end
end

-- commit makes durable what is given from an argument on. It returns what is left of the lease, or a word.
local function commit(at)
  local id, expected, version, flags = argv[at], argv[at + 2], argv[at + 3], argv[at + 7]
  local key, plain = session_key(id), flags == ''
  local nonce, done, size, ends, seq = unpack(call('HMGET', key, 'nonce', 'version', 'size', 'until', 'seq'))
  if nonce ~= argv[at + 1] then return 'other' end
  size, seq = number(size), number(seq)
  local offset, audio, count = tonumber(argv[at + 5]), argv[at + 6], tonumber(argv[at + 8])
  if number(done) < tonumber(expected) or offset > size or tonumber(argv[at + 4]) > seq then return 'behind' end
  if number(done) >= tonumber(version) then
    call('HSET', key, 'version', done) -- a write for the caller to wait for on its connection
    return left(id, ends)
  end
  if not plain then
    if find(flags, 'r', 1, true) then call('DEL', key .. ':checkpoints', key .. ':silences', key .. ':notes') end
    if find(flags, 's', 1, true) then call('DEL', key .. ':sent') end
    if find(flags, 'c', 1, true) then write_changes(id, key, at + 9 + count, seq) end
  end
  if count > 0 then call('RPUSH', key .. ':sent', unpack(argv, at + 9, at + 8 + count)) end
  if #audio > 0 and offset + #audio > size then -- last, and nothing fails between it and the size: a piece is there once
    call('RPUSH', key .. ':tail', offset < size and string.sub(audio, size - offset + 1) or audio)
    size = offset + #audio
  end
  call('HSET', key, 'version', version, 'size', integer(size))
  return left(id, ends)
end

local answer, at = {}, 4
while argv[at] do
  local fine, result = pcall(commit, at + 1)
  if not fine then result = redis.error_reply(type(result) == 'table' and result.err or tostring(result)) end
  answer[#answer + 1] = result
  answer[#answer + 1] = find(argv[at + 8], 'f', 1, true) and followers(argv[at + 1]) or -1
  at = at + 1 + tonumber(argv[at])
end
return answer
