-- What goes with a record, some of it in pieces. Included after record.lua, queue.lua, outbox.lua and session.lua.

-- record_gone removes what is left of a record that is not in any list. It answers false where that takes another call.
local function record_gone(id)
  if not session_remove(id) or not outbox_remove(id) then return false end
  redis.call('DEL', record_key(id))
  return true
end
