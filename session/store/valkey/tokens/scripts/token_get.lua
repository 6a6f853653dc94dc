-- Looks up a token by its hash. Answer: in how many milliseconds it ends, then names and values of its fields.
local left = token_left(arg(1))
if left <= 0 then return fail('NOTFOUND') end
return {text(left), redis.call('HGETALL', P .. 'token:' .. arg(1))}
