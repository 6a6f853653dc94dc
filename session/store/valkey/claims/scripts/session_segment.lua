-- Puts a segment of the journal that is in blob storage into the manifest and drops its bytes. Arguments, after those of
-- claim.lua: where it begins, where it ends, its entry of the manifest; how the holder knows the tail: the size of the journal, the
-- number of pieces, how many of them end within the segment, and where the last of these ends. Answer: "ok", or "behind" where the
-- server lacks what it had.
spare()
local first, last, entry = tonumber(arg(5)), tonumber(arg(6)), arg(7)
local failure, behind, size, start, stored = claim_state('size', 'start', 'stored')
if failure then return failure end
size, start, stored = number(size), number(start), number(stored)
if behind or stored < first or size < last then return 'behind' end
if stored >= last then return 'ok' end
redis.call('RPUSH', session_key(id, 'segments'), entry)
local tail = session_key(id, 'tail')
if size == tonumber(arg(8)) and redis.call('LLEN', tail) == tonumber(arg(9)) and tonumber(arg(10)) > 0 then
  redis.call('LTRIM', tail, arg(10), -1) -- looks at no piece, which would cost ten times as much
  start = tonumber(arg(11))
end
while start < last do -- a piece that reaches beyond the segment stays
  local piece = redis.call('LINDEX', tail, 0)
  if not piece or start + #piece > last then break end
  redis.call('LPOP', tail)
  start = start + #piece
end
redis.call('HSET', session_key(id), 'start', integer(start), 'stored', integer(last))
return 'ok'
