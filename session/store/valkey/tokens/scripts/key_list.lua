-- Lists API keys, oldest first. Arguments: how many are passed over, how many are listed. Answer: of each its hash, then names
-- and values of its fields.
local answer = {}
for _, hash in ipairs(redis.call('ZRANGE', P .. 'keys', arg(1), arg(1) + arg(2) - 1)) do
  answer[#answer + 1] = {hash, redis.call('HGETALL', P .. 'key:' .. hash)}
end
return answer
