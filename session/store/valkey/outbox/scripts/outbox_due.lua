-- Tells when a delivery may be claimed.
-- Answer: milliseconds from now, 0 for at once; nil for never.
local at = redis.call('ZRANGE', P .. 'outbox:due', 0, 0, 'WITHSCORES')[2]
return at and math.max(0, at - now)
