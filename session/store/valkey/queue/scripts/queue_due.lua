-- Tells when a job may be taken.
-- Arguments: kind, most jobs of an account under a lease (0: any).
-- Answer: milliseconds from now, 0 for at once; nil where that is not known.
local kind, most = arg(1), tonumber(arg(2))
local safe = queue_expire(kind)
local first = redis.call('ZRANGE', queue_key(kind, 'turns'), 0, 0, 'WITHSCORES')
if first[1] and (most == 0 or math.floor(first[2] / turn) < most) then return 0 end
local ends = redis.call('ZRANGE', queue_key(kind, 'leases'), 0, 0, 'WITHSCORES')[2]
return ends and math.max(0, ends - now, safe - now)
