-- Hands out a ticket and forgets it. Argument: its hash. Answer: hash of its credential, time of its end.
local hash = arg(1)
local key = P .. 'ticket:' .. hash
local credential, expires = unpack(redis.call('HMGET', key, 'credential', 'expires'))
if not credential or tonumber(expires) <= now then return fail('NOTFOUND') end
redis.call('DEL', key)
redis.call('ZREM', P .. 'tickets:' .. credential, hash)
redis.call('ZREM', P .. 'tickets', hash)
return {credential, expires}
