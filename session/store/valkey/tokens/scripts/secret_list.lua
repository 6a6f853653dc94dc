-- Lists the secrets of an account; where that is "", those of at most so many accounts that come after one. Arguments: account,
-- the account before, how many. Answer: of each account its name, then text and creation time of its secrets, newest first.
local accounts = {arg(1)}
if arg(1) == '' then
  accounts = redis.call('ZRANGEBYLEX', P .. 'secrets', arg(2) == '' and '-' or '(' .. arg(2), '+', 'LIMIT', 0, arg(3))
end
local answer = {}
for i, account in ipairs(accounts) do
  answer[i] = {account}
  for _, text in ipairs(redis.call('LRANGE', P .. 'secrets:' .. account, 0, -1)) do
    local row = answer[i]
    row[#row + 1], row[#row + 2] = text, redis.call('HGET', P .. 'secrets:times:' .. account, text)
  end
end
return answer
