-- Names records that ended before a time, first those that ended first. Arguments: the time, in milliseconds from now; how many are
-- passed over, how many are named. Answer: account and id of each.
local answer = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'finished', '-inf', '(' .. text(now + tonumber(arg(1))), 'LIMIT', arg(2), arg(3))) do
  answer[#answer + 1], answer[#answer + 2] = redis.call('HGET', record_key(id), 'account'), id
end
return answer
