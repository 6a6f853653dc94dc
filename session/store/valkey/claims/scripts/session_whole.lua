-- Notes that the server has all that the holder of a claim was told to be durable. Arguments, after those of claim.lua: number of
-- the last call that was answered, size of the journal and number of the last event that are durable. Answer: "ok", or "behind"
-- where it lacks something. A server without memory answers too: the holder does nothing else before it has.
spare()
local failure, behind, done, size, seq = claim_state('version', 'size', 'seq')
if failure then return failure end
if behind or number(done) < tonumber(arg(5)) or number(size) < tonumber(arg(6)) or number(seq) < tonumber(arg(7)) then
  return 'behind'
end
redis.call('HSET', session_key(id), 'changes', (server_changes()))
return 'ok'
