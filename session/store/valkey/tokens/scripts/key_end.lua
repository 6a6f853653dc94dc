-- Sets when an API key ends. Arguments: its hash, the time ("": never).
local key = P .. 'key:' .. arg(1)
if redis.call('EXISTS', key) == 0 then return fail('NOTFOUND') end
redis.call('HSET', key, 'expires', arg(2), 'outlived', '1')
redis.call('INCR', P .. 'kept') -- see keptKeys
return 'OK'
