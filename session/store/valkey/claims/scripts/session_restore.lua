-- Makes a server know again what it has forgotten of a claim, as after a failover to a replica that lagged. Arguments, after
-- those of claim.lua: node, whether the claim took over another, lease and window in milliseconds, number of the call, end of
-- the segments, number of the last event that the holder does not have in memory, the record's losses, number of segments,
-- segments, number of pages of events, pages. Answer: the size of the journal and the number of the last event from where on the holder writes again; 1 where
-- events were lost for good.
local node, seized, lease, window, version = arg(5), arg(6), tonumber(arg(7)), tonumber(arg(8)), arg(9)
local stored, base, losses, count = tonumber(arg(10)), tonumber(arg(11)), arg(12), tonumber(arg(13))
local failure, foreign, size, start, seq, had = claim_state('size', 'start', 'seq', 'stored')
if failure then return failure end
size, seq = number(size), number(seq)
server_began() -- noticed before others claim what is restored
if foreign or number(had) ~= stored then -- the segments, and what follows them
  redis.call('DEL', session_key(id, 'segments'), session_key(id, 'tail'))
  for i = 1, count do redis.call('RPUSH', session_key(id, 'segments'), arg(13 + i)) end
  size, start = stored, stored
end
if foreign and seq > base then -- what a former holder wrote after the failover
  session_cut(id, base)
  seq = base
end
local pages = tonumber(arg(14 + count))
local paged = page_end(arg(14 + count + pages))
if pages > 0 and pages_end(id) < paged then
  redis.call('DEL', session_key(id, 'pages'))
  for i = 1, pages do redis.call('RPUSH', session_key(id, 'pages'), arg(14 + count + i)) end
  redis.call('XTRIM', session_key(id, 'events'), 'MINID', integer(paged + 1))
  seq = math.max(seq, paged)
end
local lost = seq < base
if lost then
  redis.call('HINCRBY', P .. 'server', 'epoch', 1)
  seq = base
end
redis.call('HSET', session_key(id), 'nonce', nonce, 'node', node, 'seized', seized,
  'generation', integer(generation), 'version', version, 'size', integer(size), 'start', integer(number(start)), 'stored', integer(stored), 'seq', integer(seq))
session_renew(id, 0, lease, window)
if losses ~= '' then redis.call('HSET', record_key(id), 'losses', losses) end
return {integer(size), integer(seq), lost and 1 or 0}
