-- Renews leases. Arguments: lease and window, in milliseconds, then of each claim the session's id and the nonce. Answer: of
-- each the time that is left, in milliseconds, -1 where something has become of the claim.
spare()
server_changes() -- that the server is there, and which
local lease, window, answer = tonumber(arg(1)), tonumber(arg(2)), {}
for i = 3, #ARGV - 1, 2 do
  local id, left = arg(i), -1
  local state = redis.call('HMGET', session_key(id), 'nonce', 'until')
  if state[1] == arg(i + 1) and redis.call('HEXISTS', record_key(id), 'account') == 1 then
    left = session_renew(id, state[2], lease, window)
  end
  answer[#answer + 1] = left
end
return answer
