-- Lists uploads that no record refers to, oldest first. Arguments: a time before which they were made, in milliseconds from now;
-- how many are passed over, how many are listed. Answer: of each its id, then names and values of its fields.
local answer = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'unused', '-inf', '(' .. text(now + tonumber(arg(1))), 'LIMIT', arg(2), arg(3))) do
  answer[#answer + 1] = {id, redis.call('HGETALL', P .. 'upload:' .. id)}
end
return answer
