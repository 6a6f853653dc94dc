-- The queue of pre-recorded jobs, of each kind: "fetch" for those whose audio is to be fetched, "work" for the others. A job
-- is either free, in the set of its account, or under a lease. Accounts with free jobs take turns. Included after record.lua and
-- outage.lua.

-- A score in turns is the number of the account's jobs under a lease, times turn, plus the account's place. Places are given
-- out ascending: below half a turn to accounts that were never served, above to the others by when they were served last.
local turn = 2 ^ 40
local most_leases, most_served = 100, 16384

local function queue_key(kind, name) return P .. 'queue:' .. kind .. ':' .. name end
local function job_key(id) return P .. 'job:' .. id end

-- queue_place returns the place of an account among those that have as many jobs under a lease.
local function queue_place(kind, account)
  local served = redis.call('ZSCORE', queue_key(kind, 'served'), account)
  if served then return turn / 2 + served end
  local score = redis.call('ZSCORE', queue_key(kind, 'turns'), account)
  if score then return score % turn end
  return redis.call('HINCRBY', queue_key(kind, 'places'), 'arrived', 1)
end

-- queue_turn puts an account where it belongs after its jobs have changed.
local function queue_turn(kind, account)
  local turns = queue_key(kind, 'turns')
  if redis.call('EXISTS', queue_key(kind, 'free:') .. account) == 0 then
    redis.call('ZREM', turns, account)
    return
  end
  local running = redis.call('HGET', queue_key(kind, 'running'), account) or 0
  redis.call('ZADD', turns, text(running * turn + queue_place(kind, account)), account)
end

-- queue_serve notes that a job of an account was taken. Of very many accounts those served last are remembered.
local function queue_serve(kind, account)
  local served = queue_key(kind, 'served')
  redis.call('ZADD', served, redis.call('HINCRBY', queue_key(kind, 'places'), 'served', 1), account)
  redis.call('ZREMRANGEBYRANK', served, 0, -most_served - 1)
end

-- queue_free makes a job one that can be taken, at its place by age.
local function queue_free(id, account, kind, created)
  redis.call('ZADD', queue_key(kind, 'free:') .. account, created, id)
  queue_turn(kind, account)
end

-- queue_hold puts a job under a lease, or moves the end of its lease.
local function queue_hold(id, account, kind, ends)
  redis.call('ZREM', queue_key(kind, 'free:') .. account, id)
  if redis.call('ZADD', queue_key(kind, 'leases'), text(ends), id) == 1 then
    redis.call('HINCRBY', queue_key(kind, 'running'), account, 1)
  end
  queue_turn(kind, account)
end

-- queue_leave takes a job out of where it is, free or under a lease.
local function queue_leave(id, account, kind)
  redis.call('ZREM', queue_key(kind, 'free:') .. account, id)
  if redis.call('ZREM', queue_key(kind, 'leases'), id) == 1 then
    local running = queue_key(kind, 'running')
    if redis.call('HINCRBY', running, account, -1) == 0 then redis.call('HDEL', running, account) end
  end
  queue_turn(kind, account)
end

-- queue_expire frees jobs whose leases are over. Their holders may still extend them until another worker takes them. It
-- returns until when none is over.
local function queue_expire(kind)
  local safe = outage_grace()
  if now < safe then return safe end
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', queue_key(kind, 'leases'), '-inf', text(now), 'LIMIT', 0, most_leases)) do
    local job = redis.call('HMGET', job_key(id), 'account', 'created')
    queue_leave(id, job[1], kind)
    queue_free(id, job[1], kind, job[2])
  end
  return 0
end

-- queue_held returns account, kind, creation time and attempts of a job if the lease of that number is its holder's still.
local function queue_held(id, lease)
  local job = redis.call('HMGET', job_key(id), 'account', 'kind', 'created', 'attempts', 'lease', 'held')
  if job[5] == lease and job[6] then return job[1], job[2], job[3], job[4] end
end

-- queue_rung wakes those that wait for jobs.
local function queue_rung() redis.call('PUBLISH', P .. 'wake:queue', '') end

-- queue_add puts a record that was just made into the queue. Created is its time in milliseconds.
local function queue_add(id, account, kind, created)
  redis.call('HSET', job_key(id), 'account', account, 'kind', kind, 'created', created, 'attempts', 0)
  queue_free(id, account, kind, created)
  queue_rung()
end

-- queue_remove takes a record out of the queue for good; one that is not in it stays so.
local function queue_remove(id)
  local job = redis.call('HMGET', job_key(id), 'account', 'kind')
  if not job[1] then return end
  queue_leave(id, job[1], job[2])
  redis.call('DEL', job_key(id))
  -- Its account may have another one taken.
  if redis.call('EXISTS', queue_key(job[2], 'free:') .. job[1]) == 1 then queue_rung() end
end
