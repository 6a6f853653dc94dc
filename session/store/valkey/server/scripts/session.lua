-- The sessions behind live records. Included after record.lua.

-- session_key names the hash of a session, or with a part what is kept beside it (keys.go).
local function session_key(id, part) return P .. 'session:' .. id .. (part and ':' .. part or '') end

-- integer is the text of a number that is an integer; number reads one, 0 where there is none.
local function integer(n) return string.format('%.0f', n) end
local function number(text) return tonumber(text or 0) or 0 end

-- spare makes a script that takes no memory, or gives some back, one that a server without memory carries out: what follows the
-- first change is not refused, and this one never is.
local function spare() redis.call('DEL', P .. 'none') end

-- session_add has Adopt list the session of a live record that was just made at a time, in milliseconds.
local function session_add(id, deadline) redis.call('ZADD', P .. 'due', deadline, id) end

-- session_rung tells the node that holds a session that its claim may have ended.
local function session_rung(id)
  local node = redis.call('HGET', session_key(id), 'node')
  if node then redis.call('PUBLISH', P .. 'wake:claims:' .. node, id) end
end

-- session_remove removes all that is kept of a record's session; the record is still there. It answers false, with some
-- removed, where that takes another call.
local function session_remove(id)
  redis.call('ZREM', P .. 'due', id)
  session_rung(id)
  redis.call('PUBLISH', P .. 'wake:session:' .. id, '1')
  for _, part in ipairs({'events', 'pages', 'tail', 'segments', 'checkpoints', 'sent', 'silences', 'notes'}) do
    redis.call('UNLINK', session_key(id, part))
  end
  redis.call('UNLINK', session_key(id))
  return true
end

-- session_renew returns how long the lease of a claim that ends at a time lasts yet, in milliseconds. One that has used up a
-- third is renewed: the session is due for other nodes when it has run out and a resume window has passed, or what the session has
-- in its place.
local function session_renew(id, ends, lease, window)
  ends = number(ends)
  if ends - now < lease * 2 / 3 then
    ends = now + lease
    local grace = number(redis.call('HGET', record_key(id), 'grace'))
    if grace > 0 then window = math.min(window, grace) end
    redis.call('HSET', session_key(id), 'until', integer(ends))
    redis.call('ZADD', P .. 'due', 'XX', integer(ends + window), id)
  end
  return integer(ends - now)
end

-- page_end is the last number of a page of events, as it is in the list; pages_end that of all pages of a session. The events
-- above it are in the stream.
local function page_end(page) return number(string.match(page or '', '^%d+ (%d+) ')) end
local function pages_end(id) return page_end(redis.call('LINDEX', session_key(id, 'pages'), -1)) end

-- session_cut removes the events above a number. A stream refuses numbers below one that it has had, so it is written anew. Of a
-- page the entry is shortened.
local function session_cut(id, seq)
  local pages = session_key(id, 'pages')
  while pages_end(id) > seq do
    local first, object = string.match(redis.call('RPOP', pages), '^(%d+) %d+ (.*)$')
    if tonumber(first) < seq then redis.call('RPUSH', pages, first .. ' ' .. integer(seq) .. ' ' .. object) end
  end
  local key, copy = session_key(id, 'events'), session_key(id, 'copy')
  local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  if not last or number(string.match(last[1], '%d+')) <= seq then return end
  redis.call('DEL', copy)
  for _, event in ipairs(redis.call('XRANGE', key, '-', integer(seq))) do
    redis.call('XADD', copy, event[1], unpack(event[2]))
  end
  redis.call('DEL', key)
  if redis.call('EXISTS', copy) == 1 then redis.call('RENAME', copy, key) end
end

-- server_lag returns how long before its end what a server had told may be unknown to the one that has just begun in its place,
-- in milliseconds: one that was promoted lacks what had not reached it yet, one that was started again without its append-only
-- file what came after the last snapshot, and one with it at most what it had not written out yet, which is less than a lease.
local function server_lag()
  if number(string.match(redis.call('INFO', 'replication'), 'second_repl_offset:(%-?%d+)')) >= 0 then return 60000 end
  if string.find(redis.call('INFO', 'persistence'), 'aof_enabled:1', 1, true) then return 0 end
  return 1e15
end

-- server_began returns since when this server is known to be the one that is written to. It is noticed by its run id, which is
-- another one after a restart and on a replica that was promoted. While it was away no lease could be renewed.
local function server_began()
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or ''
  local known = redis.call('HMGET', P .. 'server', 'run', 'since', 'seen')
  if known[1] == run then return number(known[2]) end
  local since = known[1] and now or 0 -- the first server has no leases of another
  redis.call('HSET', P .. 'server', 'run', run, 'since', integer(since))
  if known[1] then
    local n = redis.call('HINCRBY', P .. 'server', 'changes', 1)
    redis.call('HSET', P .. 'server', 'change ' .. n, integer(number(known[3])) .. ' ' .. integer(server_lag()) .. ' ' .. integer(since))
    redis.call('HDEL', P .. 'server', 'change ' .. (n - 100))
  end
  return since
end

-- server_changes returns how many servers have begun in the place of another.
local function server_changes()
  server_began()
  local known = redis.call('HMGET', P .. 'server', 'changes', 'seen')
  if now - number(known[2]) > 1000 then redis.call('HSET', P .. 'server', 'seen', integer(now)) end
  return number(known[1])
end

-- server_change returns of one of these changes the last time that is known of the server before, how long before that what it had
-- told may be unknown to the one that has begun, and when that began. Of a change that is not remembered everything may be unknown
-- that was told before this server began.
local function server_change(n)
  local former, lag, since = string.match(redis.call('HGET', P .. 'server', 'change ' .. n) or '', '^(%d+) (%d+) (%d+)$')
  if not former then return 0, 1e15, number(redis.call('HGET', P .. 'server', 'since')) end
  return number(former), number(lag), number(since)
end
