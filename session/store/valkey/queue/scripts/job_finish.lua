-- Keeps the outcome of a job and enqueues its callbacks.
-- Arguments: record, number of the lease, number of the call, status, how the upload changes ("" for not, "none", or "to:" and its id),
-- number of the fields, their names and values (see record_finish), number of the deliveries, their arguments (see outbox_add).
local id, call, status, upload, fields = arg(1), arg(3), arg(4), arg(5), tonumber(arg(6))
if redis.call('HGET', record_key(id), 'settled') == call then
  redis.call('SET', P .. 'written', text(now)) -- a call made again waits for what the first has written
  return 'OK'
end
local account = queue_held(id, arg(2))
if not account then return fail('LOST') end
local change = string.match(upload, '^to:(.*)$')
if change and not upload_is(account, change) then return fail('NOTFOUND') end
local deliveries = tonumber(arg(7 + fields))
if not outbox_check(8 + fields, deliveries) then return fail('NOTFOUND') end

local values = {}
for i = 1, fields do values[i] = arg(6 + i) end
queue_remove(id)
record_finish(id, status, values)
if upload ~= '' then record_upload(id, change or '') end
redis.call('HSET', record_key(id), 'settled', call)
outbox_add(8 + fields, deliveries)
return 'OK'
