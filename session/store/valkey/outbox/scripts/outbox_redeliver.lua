-- Makes a delivery due that was not sent.
-- Arguments: delivery, number of the call.
local id, call = arg(1), arg(2)
local d = delivery_load(id)
if not d or not record_is(d.account, d.job) then return fail('NOTFOUND') end
if d.revived == call then return 'OK' end
if d.state == 'sent' then return fail('SENT') end
if d.state == 'dead' then
  if redis.call('EXISTS', delivery_key(id) .. ':body') == 0 then return fail('NOTFOUND') end
  delivery_unlist(id, d)
  delivery_list(id, d, 'pending')
  d.attempts, d.first, d.revived = 0, nil, call
  delivery_save(id, d)
end
-- While one of the job's is being sent, the end of that makes this one due.
if not redis.call('HGET', outbox_key(d.job), 'claimed') then outbox_due(d.job, now) end
outbox_rung()
return 'OK'
