-- The sessions behind live records. Included after record.lua.

-- session_add has Adopt list the session of a live record that was just made at a time, in milliseconds.
local function session_add(id, deadline) redis.call('ZADD', P .. 'due', deadline, id) end

-- session_remove removes all that is kept of a record's session; the record is still there. It answers false, with some
-- removed, where that takes another call.
local function session_remove(id)
  redis.call('ZREM', P .. 'due', id)
  return true
end
