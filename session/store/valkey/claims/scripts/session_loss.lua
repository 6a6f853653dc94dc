-- What a server may have lost of a session. Included after session.lua.

local most_losses = 1000 -- bytes of what is kept of one session

-- may_have_lost reports whether the nth change of the server may have lost something of a session. ends is that of the lease of its
-- former holder. Where there was none as far as the server knows, free is since when: a claim after that may be what it lacks, unless
-- it is free since the change.
local function may_have_lost(n, ends, free)
  local former, lag, since = server_change(n)
  if ends then return number(ends) >= former - lag end
  return lag > 0 and number(free) >= former - lag and number(free) < since
end

-- session_note_loss is called when a session is claimed. Where another server has begun since its former holder was known to
-- have come to the one there was, and that server may lack what the holder was told to be durable, it adds to the record the
-- number of the change and the size of the journal, from where on audio may be missing. For ends and free see may_have_lost.
local function session_note_loss(id, unfinished, ends, free)
  local changes = server_changes()
  local key = session_key(id)
  local known = number(redis.call('HGET', key, 'changes'))
  redis.call('HSET', key, 'changes', changes)
  local lost = false
  for n = known + 1, changes do lost = lost or may_have_lost(n, ends, free) end
  if not unfinished or not lost then return end
  local list = redis.call('HGET', record_key(id), 'losses')
  if #(list or '') > most_losses then return end
  local one = changes .. ' ' .. integer(number(redis.call('HGET', key, 'size')))
  redis.call('HSET', record_key(id), 'losses', list and list .. ' ' .. one or one)
end
