-- Keeps the outcome of a session. Arguments, after those of claim.lua: a nonce of this outcome, the status, then names and
-- values of fields of the record. Answer: "ok", "behind" where the server lacks what it had.
spare()
local outcome, status = arg(5), arg(6)
local failure, behind, kept = claim_state('outcome')
if failure then return failure end
if behind then return 'behind' end
local kind, former = unpack(redis.call('HMGET', record_key(id), 'kind', 'status'))
if kind ~= 'live' then return fail('INVALID') end
if kept == outcome then
  redis.call('SET', P .. 'written', text(now)) -- a call made again waits for what the first has written
  return 'ok'
end
if former == 'done' or former == 'error' then return fail('FINISHED') end
local fields = {}
for i = 7, #ARGV - 1 do fields[#fields + 1] = arg(i) end
redis.call('HSET', session_key(id), 'outcome', outcome)
record_finish(id, status, fields)
local size = redis.call('HGET', session_key(id), 'size')
if size then
  redis.call('HSET', record_key(id), 'held', size)
  local account, key = unpack(redis.call('HMGET', record_key(id), 'account', 'key'))
  held_add(account, key, size)
end
return 'ok'
