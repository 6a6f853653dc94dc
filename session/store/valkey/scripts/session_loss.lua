-- What a server may have lost of a session. Included after session.lua.

local most_losses = 1000 -- bytes of what is kept of one session

-- session_note_loss is called when a session is claimed. Where another server has begun since its former holder was known to
-- have come to the one there was, and that server may lack what the holder was told to be durable, it adds to the record the
-- number of the change and the size of the journal, from where on audio may be missing. ends is that of the former holder's
-- lease. Where there was none as far as the server knows, free is since when: a claim after that may be what it lacks.
local function session_note_loss(id, unfinished, ends, free)
  local changes, former = server_changes()
  local key = session_key(id)
  local known = number(redis.call('HGET', key, 'changes'))
  redis.call('HSET', key, 'changes', changes)
  if not unfinished or known >= changes then return end
  local lag = changes - known > 1 and 1e15 or number(redis.call('HGET', P .. 'server', 'lag'))
  if ends and number(ends) < former - lag or not ends and (lag == 0 or number(free) < former - lag) then return end
  local list = redis.call('HGET', record_key(id), 'losses')
  if #(list or '') > most_losses then return end
  local one = changes .. ' ' .. integer(number(redis.call('HGET', key, 'size')))
  redis.call('HSET', record_key(id), 'losses', list and list .. ' ' .. one or one)
end
