-- Forgets a secret. Arguments: account, text.
local account, text = arg(1), arg(2)
if redis.call('LREM', P .. 'secrets:' .. account, 0, text) == 0 then return fail('NOTFOUND') end
redis.call('HDEL', P .. 'secrets:times:' .. account, text)
if redis.call('EXISTS', P .. 'secrets:' .. account) == 0 then redis.call('ZREM', P .. 'secrets', account) end
redis.call('SET', P .. 'erase', string.format('%.0f', now))
redis.call('INCR', P .. 'kept') -- see keptKeys
return 'OK'
