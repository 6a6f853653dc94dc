-- Enqueues deliveries, all or none.
-- Arguments: number of the deliveries, their arguments (see outbox_add).
local count = tonumber(arg(1))
if not outbox_check(2, count) then return fail('NOTFOUND') end
outbox_add(2, count)
redis.call('SET', P .. 'written', text(now)) -- a call made again waits for what the first has written
return 'OK'
