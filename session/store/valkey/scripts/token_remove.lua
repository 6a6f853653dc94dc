-- Forgets a token. Arguments: account, id.
local hash = redis.call('GET', P .. 'token:id:' .. arg(2))
local account, expires = unpack(redis.call('HMGET', P .. 'token:' .. (hash or ''), 'account', 'expires'))
if account ~= arg(1) or token_ended(expires) then return fail('NOTFOUND') end
token_forget(hash)
return 'OK'
