-- Ends a claim.
-- Arguments: record, delivery, number of the claim, number of the call, what became of the delivery ("sent", "failed", "dead",
-- "postponed"), in how many milliseconds it is due again, at once for less than 0, status and text of the failure, how many
-- sent deliveries are kept.
local job, id, claim, call, what = arg(1), arg(2), arg(3), arg(4), arg(5)
local head = redis.call('HMGET', outbox_key(job), 'claim', 'claimed', 'settled')
if head[3] == call then return 'OK' end
if head[1] ~= claim or head[2] ~= id then return fail('LOST') end

redis.call('HDEL', outbox_key(job), 'claimed') -- first: the server takes what follows even when it is out of memory
local d = delivery_load(id)
local erased = bit.band(tonumber(redis.call('HGET', record_key(job), 'transient') or 0), 2) ~= 0 and (what == 'sent' or what == 'dead')
if what == 'sent' or erased then redis.call('DEL', delivery_key(id) .. ':body') end
if erased then redis.call('SET', P .. 'erase', text(now)) end
if what == 'sent' then
  d.failure = erased and '' or d.failure
elseif what == 'postponed' then
  d.attempts = d.attempts - 1
  if d.attempts == 0 then d.first = nil end
else
  d.status, d.failure = tonumber(arg(7)), erased and '' or arg(8)
end
if what == 'sent' or what == 'dead' then
  delivery_unlist(id, d)
  delivery_list(id, d, what)
end
delivery_save(id, d)
if what == 'sent' then outbox_bound(tonumber(arg(9))) end
redis.call('HSET', outbox_key(job), 'settled', call)
local first = redis.call('ZRANGE', outbox_key(job) .. ':pending', 0, 0)[1]
outbox_due(job, first and (first == id and now + math.max(0, tonumber(arg(6))) or now))
if first then outbox_rung() end
return 'OK'
