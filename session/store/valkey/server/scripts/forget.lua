-- What goes with a record, some of it in pieces. Included after record.lua, queue.lua, outbox.lua, session.lua and token.lua.

-- record_gone removes what is left of a record that is not in any list. It answers false where that takes another call.
local function record_gone(id)
  if not session_remove(id) or not outbox_remove(id) or not tokens_of_session(id) then return false end
  redis.call('DEL', record_key(id))
  return true
end
