-- Leases a job: the oldest of the account whose turn it is.
-- Arguments: kind, most jobs of an account under a lease (0: any), node, milliseconds, number of the lease, "again" where an
-- earlier call with that number may have been carried out.
-- Answer: nil for none, else the record, end of the lease, attempt, names and values of the record's fields.
local kind, most, node, ttl, lease = arg(1), tonumber(arg(2)), arg(3), tonumber(arg(4)), arg(5)

local function answer(id)
  local job = redis.call('HMGET', job_key(id), 'ends', 'attempts')
  return {id, job[1], tonumber(job[2]), redis.call('HGETALL', record_key(id))}
end

if arg(6) == 'again' then
  for _, id in ipairs(redis.call('ZREVRANGE', queue_key(kind, 'leases'), 0, 999)) do
    if redis.call('HGET', job_key(id), 'lease') == lease then return answer(id) end
  end
end

queue_expire(kind)
local first = redis.call('ZRANGE', queue_key(kind, 'turns'), 0, 0, 'WITHSCORES')
if not first[1] or most > 0 and math.floor(first[2] / turn) >= most then return false end
local account = first[1]
local id = redis.call('ZRANGE', queue_key(kind, 'free:') .. account, 0, 0)[1]
redis.call('HINCRBY', job_key(id), 'attempts', 1)
redis.call('HSET', job_key(id), 'lease', lease, 'held', node, 'ends', text(now + ttl))
queue_serve(kind, account)
queue_hold(id, account, kind, now + ttl)
record_status(id, 'processing')
return answer(id)
