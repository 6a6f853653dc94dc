-- Names finished records and which parts of them were erased, those first that ended first. Arguments: from when on and before when they
-- ended, in milliseconds from now, "-inf" for all; how many are passed over, how many are named; "transient" for those alone that have
-- something that is not to be kept. Answer: account, id and parts of each.
local answer, from, key = {}, arg(1), arg(5) == 'transient' and 'transient' or 'finished'
if from ~= '-inf' then from = text(now + tonumber(from)) end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. key, from, '(' .. text(now + tonumber(arg(2))), 'LIMIT', arg(3), arg(4))) do
  local account, stripped = unpack(redis.call('HMGET', record_key(id), 'account', 'stripped'))
  answer[#answer + 1], answer[#answer + 2], answer[#answer + 3] = account or '', id, stripped or '0'
end
return answer
