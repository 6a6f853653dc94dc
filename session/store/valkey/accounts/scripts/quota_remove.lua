-- Removes the quota of an account. Argument: account.
if redis.call('HDEL', P .. 'quotas', arg(1)) == 0 then return fail('NOTFOUND') end
redis.call('INCR', P .. 'kept') -- see keptKeys
return 'OK'
