-- Notes that a folder is empty. Arguments: folder, after how many milliseconds it is to be emptied once more; from then on it is
-- done with. Several nodes may have emptied it at a time.
local folder, later = arg(1), tonumber(arg(2))
if redis.call('ZREM', P .. 'removals', folder) == 1 then
  redis.call('ZADD', P .. 'removals:late', string.format('%.0f', now + later), folder)
elseif tonumber(redis.call('ZSCORE', P .. 'removals:late', folder) or now) <= now then
  redis.call('ZREM', P .. 'removals:late', folder)
end
return 'OK'
