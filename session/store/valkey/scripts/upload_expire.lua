-- Gives up uploads that arrive for longer than a time, in milliseconds: their folders are to be emptied.
local before = string.format('%.0f', now - arg(1))
for _, folder in ipairs(redis.call('ZRANGEBYSCORE', P .. 'arriving', '-inf', before, 'LIMIT', 0, 200)) do
  redis.call('ZREM', P .. 'arriving', folder)
  redis.call('ZADD', P .. 'removals', before, folder)
end
return 'OK'
