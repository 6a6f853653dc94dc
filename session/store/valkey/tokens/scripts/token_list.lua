-- Lists the tokens of an account, oldest first. Arguments: account, how many are passed over, how many are listed. Answer: of
-- each its hash, then names and values of its fields, none where it has expired.
local answer = {}
for _, hash in ipairs(redis.call('ZRANGE', P .. 'tokens:' .. arg(1), arg(2), arg(2) + arg(3) - 1)) do
  answer[#answer + 1] = {hash, token_left(hash) > 0 and redis.call('HGETALL', P .. 'token:' .. hash) or {}}
end
return answer
