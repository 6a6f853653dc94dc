-- Forgets an API key, and before it the tokens that were made with it. Argument: its hash. Answer: "more" where that takes
-- another call.
local hash, most = arg(1), 500
if redis.call('EXISTS', P .. 'key:' .. hash) == 0 then return fail('NOTFOUND') end
local list = redis.call('ZRANGE', P .. 'key:' .. hash .. ':tokens', 0, most - 1)
for _, token in ipairs(list) do token_forget(token) end
if #list == most then return 'more' end
redis.call('DEL', P .. 'key:' .. hash)
redis.call('ZREM', P .. 'keys', hash)
redis.call('SET', P .. 'erase', string.format('%.0f', now))
redis.call('INCR', P .. 'kept') -- see keptKeys
return 'OK'
