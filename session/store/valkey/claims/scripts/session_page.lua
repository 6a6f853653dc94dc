-- Puts a page of events that is in blob storage into the list and drops them from the stream. Arguments, after those of claim.lua:
-- the number before its first, its last number, its entry of the list. Answer: the list, which lacks the page where another one
-- has the first of its events; or "behind" where the server lacks what it had.
spare()
local first, last, entry = tonumber(arg(5)), tonumber(arg(6)), arg(7)
local failure, behind, seq = claim_state('seq')
if failure then return failure end
local ends = pages_end(id)
if behind or number(seq) < last or ends < first then return 'behind' end
if ends == first then
  redis.call('RPUSH', session_key(id, 'pages'), entry)
  redis.call('XTRIM', session_key(id, 'events'), 'MINID', integer(last + 1))
end
return redis.call('LRANGE', session_key(id, 'pages'), 0, -1)
