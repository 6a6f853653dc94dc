-- Ends a lease without an outcome: the job is given back, or goes on as one whose audio was fetched.
-- Arguments: record, number of the lease, number of the call, the upload that was fetched or nothing.
local id, call, upload = arg(1), arg(3), arg(4)
if redis.call('HGET', job_key(id), 'settled') == call then return 'OK' end
local account, kind, created, attempts = queue_held(id, arg(2))
if not account then return fail('LOST') end
if upload ~= '' then
  if not upload_is(account, upload) then return fail('NOTFOUND') end
  record_upload(id, upload)
  attempts = 1
else
  record_status(id, 'queued')
end
queue_leave(id, account, kind)
if upload ~= '' then kind = 'work' end
redis.call('HDEL', job_key(id), 'held')
redis.call('HSET', job_key(id), 'kind', kind, 'attempts', attempts - 1, 'settled', call)
queue_free(id, account, kind, created)
queue_rung()
return 'OK'
