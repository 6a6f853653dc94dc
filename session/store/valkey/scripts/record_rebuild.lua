-- Keeps again a finished record that the server has lost. Arguments: id; number of the last event of which a callback was enqueued, "" for
-- none; then five lists, each after its length: names and values of the record's fields, and of the session's, the manifest, and of each
-- event that is not archived number, kind, key and body, and numbers and texts of notes. Answer: "there" where there is a record of that id, "deleted" where this one was
-- deleted of late, else "ok".
local id, at = arg(1), 3
local function list()
  local values = {}
  for i = 1, tonumber(arg(at)) do values[i] = arg(at + i) end
  at = at + #values + 1
  return values
end
local fields, session, segments, events, notes, r = list(), list(), list(), list(), list(), {}
for i = 1, #fields, 2 do r[fields[i]] = fields[i + 1] end
local key = record_key(id)
if redis.call('EXISTS', key) == 1 then return 'there' end
if redis.call('ZSCORE', P .. 'removals', r.folder) or redis.call('ZSCORE', P .. 'removals:late', r.folder) then return 'deleted' end

redis.call('HSET', key, unpack(fields))
local member = list_member(r.created, id)
redis.call('ZADD', list_key(r.account, r.kind, r.status), 0, member)
for i = 1, #(r.lists or ''), 22 do redis.call('ZADD', P .. 'metadata:' .. string.sub(r.lists, i, i + 21), 0, member) end
if r.token then
  local hex = string.gsub(r.token, '.', function(c) return string.format('%02x', string.byte(c)) end)
  redis.call('SET', P .. 'record:token:' .. hex, id)
end
redis.call('ZADD', P .. 'finished', r.completed or r.created, id)
if parts_left(r.transient, r.stripped) ~= 0 then redis.call('ZADD', P .. 'transient', r.completed or r.created, id) end
held_add(r.account, r.key, r.held)
if r.upload then
  redis.call('SADD', P .. 'upload:' .. r.upload .. ':records', id)
  redis.call('ZREM', P .. 'unused', r.upload)
end
if #session > 0 then redis.call('HSET', session_key(id), unpack(session)) end
if #notes > 0 then redis.call('HSET', session_key(id, 'notes'), unpack(notes)) end
for _, segment in ipairs(segments) do redis.call('RPUSH', session_key(id, 'segments'), segment) end
for i = 1, #events, 4 do
  redis.call('XADD', session_key(id, 'events'), events[i] .. '-0', 'kind', events[i + 1], 'key', events[i + 2], 'body', events[i + 3])
end
if arg(2) ~= '' then redis.call('HSET', P .. 'outbox:' .. id, 'last', arg(2)) end -- no callback goes again
if redis.call('HEXISTS', P .. 'accounts', r.account) == 0 then -- followers of the account learn that they have missed something
  redis.call('HSET', P .. 'accounts', r.account, integer(now * 1000))
  redis.call('HSET', P .. 'accounts:trimmed', r.account, integer(now * 1000))
end
return 'ok'
