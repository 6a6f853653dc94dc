-- Makes a secret the newest of its account. Arguments: account, text, time of its creation, how many an account has at most.
local account, text, created, most = arg(1), arg(2), arg(3), tonumber(arg(4))
local list, times = P .. 'secrets:' .. account, P .. 'secrets:times:' .. account
if redis.call('HEXISTS', times, text) == 1 then return fail('EXISTS') end
redis.call('LPUSH', list, text)
redis.call('HSET', times, text, created)
redis.call('ZADD', P .. 'secrets', 0, account)
while redis.call('LLEN', list) > most do redis.call('HDEL', times, redis.call('RPOP', list)) end
redis.call('INCR', P .. 'kept') -- see keptKeys
return 'OK'
