-- Sets the quota of an account. Arguments: account, quota as JSON.
redis.call('HSET', P .. 'quotas', arg(1), arg(2))
redis.call('INCR', P .. 'kept') -- see keptKeys
return 'OK'
