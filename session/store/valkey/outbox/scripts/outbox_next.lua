-- Tells when the first pending delivery of a job is due.
-- Arguments: account, record.
-- Answer: milliseconds since 1970; nil where none is pending or one is being sent.
if not record_is(arg(1), arg(2)) or redis.call('HGET', outbox_key(arg(2)), 'claimed') then return false end
return redis.call('ZSCORE', P .. 'outbox:due', arg(2))
