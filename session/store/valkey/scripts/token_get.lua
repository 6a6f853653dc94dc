-- Looks up a token by its hash. Answer: names and values of its fields.
local key = P .. 'token:' .. arg(1)
if token_ended(redis.call('HGET', key, 'expires')) then return fail('NOTFOUND') end
return redis.call('HGETALL', key)
