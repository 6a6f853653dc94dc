-- Tells how much of its quota an account has. Arguments: account, then items of usage. Answer: number of its unfinished live sessions,
-- and the sum of what it has used of the items today, whatever the model.
local account, wanted, sum = arg(1), {}, 0
for i = 3, #ARGV do wanted[ARGV[i]] = true end
local used = redis.call('HGETALL', usage_key(usage_day(), account))
for i = 1, #used, 2 do
  if wanted[string.match(used[i], '%z(.*)$')] then sum = sum + tonumber(used[i + 1]) end
end
return {live_count(account), sum}
