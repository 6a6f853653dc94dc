-- Makes a lease last from now on.
-- Arguments: record, number of the lease, milliseconds.
local id, ends = arg(1), now + tonumber(arg(3))
local account, kind = queue_held(id, arg(2))
if not account then return fail('LOST') end
redis.call('HSET', job_key(id), 'ends', text(ends))
queue_hold(id, account, kind, ends)
return 'OK'
