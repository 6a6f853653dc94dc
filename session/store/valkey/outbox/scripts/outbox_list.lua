-- Lists deliveries in a state, oldest first.
-- Arguments: account or nothing for all, state, number behind which the page begins, how many.
-- Answer: the number of the last one, then deliveries, see delivery_answer.
local list = P .. 'deliveries:' .. arg(2) .. (arg(1) ~= '' and ':' .. arg(1) or '')
local answer = {arg(3)}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', list, '(' .. arg(3), '+inf', 'LIMIT', 0, arg(4))) do
  local d = delivery_load(id)
  answer[1] = text(d.n)
  answer[#answer + 1] = delivery_answer(id, d, redis.call('HGET', outbox_key(d.job), 'claim'), false)
end
return answer
