-- Notes that a folder is empty. Arguments: folder, after how many milliseconds it is to be emptied once more; the second time
-- it is done with.
local folder, later = arg(1), tonumber(arg(2))
if redis.call('ZREM', P .. 'removals', folder) == 1 then
  redis.call('ZADD', P .. 'removals:late', string.format('%.0f', now + later), folder)
else
  redis.call('ZREM', P .. 'removals:late', folder)
end
return 'OK'
