-- Takes finished records that are to be archived. Arguments: how many at most, for how many milliseconds no other node takes
-- them. Answer: their ids.
local ids = redis.call('ZRANGEBYSCORE', P .. 'archive', '-inf', string.format('%.0f', now), 'LIMIT', 0, arg(1))
for _, id in ipairs(ids) do
  redis.call('ZREM', P .. 'archive', id) -- first, since a server that is out of memory lets no script begin by adding
  redis.call('ZADD', P .. 'archive', string.format('%.0f', now + arg(2)), id)
end
return ids
