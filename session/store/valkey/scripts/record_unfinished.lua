-- Lists live records that are not finished. Arguments: how many are passed over, how many are listed. Answer: of each its id,
-- and names and values of its fields.
local answer = {}
for _, id in ipairs(redis.call('ZRANGE', P .. 'due', arg(1), arg(1) + arg(2) - 1)) do
  answer[#answer + 1] = {id, redis.call('HGETALL', record_key(id))}
end
return answer
