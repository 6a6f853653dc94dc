-- The deliveries of records' callbacks. Included after record.lua.

local most_removed = 500

local function outbox_key(job) return P .. 'outbox:' .. job end
local function delivery_key(id) return P .. 'delivery:' .. id end

-- delivery_load returns a delivery as a table, nil where there is none; delivery_save keeps it. Its body is apart.
local function delivery_load(id)
  local row = redis.call('GET', delivery_key(id))
  return row and cmsgpack.unpack(row)
end
local function delivery_save(id, d) redis.call('SET', delivery_key(id), cmsgpack.pack(d)) end

-- delivery_unlist takes a delivery out of the lists of its state; delivery_list puts it into those of a state.
local function delivery_unlist(id, d)
  redis.call('ZREM', P .. 'deliveries:' .. d.state, id)
  redis.call('ZREM', P .. 'deliveries:' .. d.state .. ':' .. d.account, id)
  if d.state == 'pending' then redis.call('ZREM', outbox_key(d.job) .. ':pending', id) end
  if d.state == 'sent' then redis.call('ZREM', P .. 'deliveries:arrived', id) end
end
local function delivery_list(id, d, state)
  d.state = state
  redis.call('ZADD', P .. 'deliveries:' .. state, text(d.n), id)
  redis.call('ZADD', P .. 'deliveries:' .. state .. ':' .. d.account, text(d.n), id)
  if state == 'pending' then redis.call('ZADD', outbox_key(d.job) .. ':pending', text(d.n), id) end
  if state == 'sent' then redis.call('ZADD', P .. 'deliveries:arrived', text(now), id) end
end

-- outbox_rung wakes those that wait for deliveries.
local function outbox_rung() redis.call('PUBLISH', P .. 'wake:outbox', '') end

-- outbox_due sets when the outbox of a job may be claimed; nil for never.
local function outbox_due(job, at)
  if at then
    redis.call('ZADD', P .. 'outbox:due', text(at), job)
  else
    redis.call('ZREM', P .. 'outbox:due', job)
  end
end

-- The arguments of a delivery, beginning with the nth: account, job, seq, event, url, method, body.
local delivery_args = 7

-- outbox_check tells whether the accounts of the deliveries, count of them beginning with the nth argument, have their jobs.
local function outbox_check(n, count)
  for i = n, n + (count - 1) * delivery_args, delivery_args do
    if not record_is(arg(i), arg(i + 1)) then return false end
  end
  return true
end

-- outbox_known tells whether a job has had a delivery before, and notes that it has now.
local function outbox_known(job, seq, event)
  if seq == 0 then return redis.call('SADD', outbox_key(job) .. ':events', event) == 0 end
  local last = tonumber(redis.call('HGET', outbox_key(job), 'last') or 0)
  if seq <= last then return true end
  redis.call('HSET', outbox_key(job), 'last', text(seq))
  return false
end

-- delivery_id returns the id of a delivery: that which it has had before, where the server has forgotten that it was enqueued, so that its
-- receiver knows it again. Nobody can guess it, since the folder of the record has a random part.
local function delivery_id(job, seq, event)
  local folder = redis.call('HGET', record_key(job), 'folder')
  return 'msg_' .. redis.sha1hex(folder .. ' ' .. text(seq) .. ' ' .. event)
end

-- outbox_add enqueues deliveries that outbox_check has passed.
local function outbox_add(n, count)
  for i = n, n + (count - 1) * delivery_args, delivery_args do
    local job, seq, event = arg(i + 1), tonumber(arg(i + 2)), arg(i + 3)
    if not outbox_known(job, seq, event) then
      local id = delivery_id(job, seq, event)
      local d = {
        n = redis.call('INCR', P .. 'deliveries'), account = arg(i), job = job, seq = seq, event = event,
        url = arg(i + 4), method = arg(i + 5), created = now, attempts = 0, status = 0, failure = '',
      }
      redis.call('SET', delivery_key(id) .. ':body', arg(i + 6))
      redis.call('ZADD', outbox_key(job) .. ':all', text(d.n), id)
      delivery_list(id, d, 'pending')
      delivery_save(id, d)
      redis.call('ZADD', P .. 'outbox:due', 'NX', text(now), job)
    end
  end
  if count > 0 then outbox_rung() end
end

-- delivery_forget removes a delivery.
local function delivery_forget(id)
  local d = delivery_load(id)
  if not d then return end
  delivery_unlist(id, d)
  redis.call('ZREM', outbox_key(d.job) .. ':all', id)
  redis.call('DEL', delivery_key(id), delivery_key(id) .. ':body')
end

-- outbox_bound forgets the deliveries that were sent first where more than kept were sent.
local function outbox_bound(kept)
  local arrived = P .. 'deliveries:arrived'
  if redis.call('ZCARD', arrived) <= kept then return end
  for _, id in ipairs(redis.call('ZRANGE', arrived, 0, 1)) do delivery_forget(id) end
end

-- outbox_remove removes the outbox of a record. It answers false, with some removed, where that takes another call. A claim ends
-- with the first call.
local function outbox_remove(job)
  outbox_due(job, nil)
  redis.call('DEL', outbox_key(job))
  for _, id in ipairs(redis.call('ZRANGE', outbox_key(job) .. ':all', 0, most_removed - 1)) do delivery_forget(id) end
  if redis.call('EXISTS', outbox_key(job) .. ':all') == 1 then return false end
  redis.call('DEL', outbox_key(job) .. ':events')
  return true
end

-- delivery_answer is what decodeDelivery reads: the fields, whether the body follows, and that.
local function delivery_answer(id, d, claim, whole)
  local body = whole and redis.call('GET', delivery_key(id) .. ':body')
  return {
    id, d.account, d.job, d.event, d.url, d.method, d.state, text(d.created), d.first and text(d.first) or false,
    text(d.seq), d.attempts, d.status, d.failure, claim or '0', body and 1 or 0, body or '',
  }
end
