-- Claims the first pending deliveries of the outboxes that are due.
-- Arguments: milliseconds, how many, number of the claim, most bytes of bodies, "again" where an earlier call with that
-- number may have been carried out.
-- Answer: a list of deliveries, see delivery_answer.
local ttl, limit, claim, room = tonumber(arg(1)), tonumber(arg(2)), arg(3), tonumber(arg(4))
local answer = {}

if arg(5) == 'again' then
  for _, job in ipairs(redis.call('ZREVRANGEBYSCORE', P .. 'outbox:due', '+inf', '(' .. text(now), 'LIMIT', 0, 1000)) do
    local head = redis.call('HMGET', outbox_key(job), 'claim', 'claimed')
    if head[1] == claim and head[2] then
      answer[#answer + 1] = delivery_answer(head[2], delivery_load(head[2]), claim, true)
    end
  end
  if #answer > 0 then return answer end
end

for _, job in ipairs(redis.call('ZRANGEBYSCORE', P .. 'outbox:due', '-inf', text(now), 'LIMIT', 0, limit)) do
  local id = redis.call('ZRANGE', outbox_key(job) .. ':pending', 0, 0)[1]
  local d = delivery_load(id)
  d.attempts, d.first = d.attempts + 1, d.first or now
  delivery_save(id, d)
  redis.call('HSET', outbox_key(job), 'claim', claim, 'claimed', id)
  outbox_due(job, now + ttl)
  answer[#answer + 1] = delivery_answer(id, d, claim, true)
  room = room - redis.call('STRLEN', delivery_key(id) .. ':body')
  if room <= 0 then break end
end
return answer
