-- Forgets a token. Arguments: account, id.
local hash = redis.call('GET', P .. 'token:id:' .. arg(2))
if not hash or redis.call('HGET', P .. 'token:' .. hash, 'account') ~= arg(1) then return fail('NOTFOUND') end
local left = token_left(hash)
token_forget(hash)
redis.call('SET', P .. 'erase', text(now))
if left <= 0 then return fail('NOTFOUND') end
return 'OK'
