-- Answers the key of marks of what was erased. Argument: what it is to be where there is none. A server without memory keeps none: "".
local key = redis.call('GET', P .. 'erasures:key')
if key then return key end
if type(redis.pcall('SET', P .. 'erasures:key', arg(1))) == 'table' and not redis.call('GET', P .. 'erasures:key') then return '' end
return arg(1)
