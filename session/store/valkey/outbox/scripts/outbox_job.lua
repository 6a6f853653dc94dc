-- Lists the deliveries of a job, newest first.
-- Arguments: account, job, number below which the page begins, how many.
-- Answer: as that of outbox_list.
local job, answer = arg(2), {arg(3)}
if not record_is(arg(1), job) then return answer end
local claim = redis.call('HGET', outbox_key(job), 'claim')
for _, id in ipairs(redis.call('ZREVRANGEBYSCORE', outbox_key(job) .. ':all', '(' .. arg(3), '-inf', 'LIMIT', 0, arg(4))) do
  local d = delivery_load(id)
  answer[1] = text(d.n)
  answer[#answer + 1] = delivery_answer(id, d, claim, false)
end
return answer
