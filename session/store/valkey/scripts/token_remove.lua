-- Forgets a token. Arguments: account, id.
local hash = redis.call('GET', P .. 'token:id:' .. arg(2))
if not hash or redis.call('HGET', P .. 'token:' .. hash, 'account') ~= arg(1) or token_left(hash) <= 0 then return fail('NOTFOUND') end
token_forget(hash)
return 'OK'
