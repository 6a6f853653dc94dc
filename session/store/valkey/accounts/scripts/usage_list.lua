-- Lists what accounts have used on days. Arguments: account ("": all), number of the first day, of the last, how many rows are passed over,
-- how many are listed. Answer: of each row the day and the account with a colon between, then names and values of its fields.
local account, first, last, skip, most = arg(1), tonumber(arg(2)), tonumber(arg(3)), tonumber(arg(4)), tonumber(arg(5))
local names, answer = {}, {}
if account == '' then
  names = redis.call('ZRANGEBYSCORE', P .. 'usage', arg(2), arg(3), 'LIMIT', skip, most)
else
  for day = first + skip, math.min(last, first + skip + most - 1) do names[#names + 1] = text(day) .. ':' .. account end
end
for i, name in ipairs(names) do answer[i] = {name, redis.call('HGETALL', P .. 'usage:' .. name)} end
return answer
