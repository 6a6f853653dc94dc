-- Tells the number of the last event of a job that was enqueued.
-- Arguments: account, record.
if not record_is(arg(1), arg(2)) then return fail('NOTFOUND') end
return redis.call('HGET', outbox_key(arg(2)), 'last')
