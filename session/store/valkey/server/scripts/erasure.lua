-- Notes what was erased: parts of a record, or more.

-- erasure_note keeps a mark of what was erased, which ends in a byte that tells the parts, and forgets what was erased too long ago.
local function erasure_note(mark)
  if mark == '' then return end
  redis.call('ZADD', P .. 'erasures', text(now), mark)
  redis.call('ZREMRANGEBYSCORE', P .. 'erasures', '-inf', text(now - 400 * 86400000))
end
