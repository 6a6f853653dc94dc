-- Forgets deliveries that were sent before a time. Their events stay known.
-- Arguments: the time, in milliseconds from now; how many.
-- Answer: how many were forgotten.
local old = redis.call('ZRANGEBYSCORE', P .. 'deliveries:arrived', '-inf', '(' .. text(now + tonumber(arg(1))), 'LIMIT', 0, arg(2))
for _, id in ipairs(old) do delivery_forget(id) end
return #old
