-- Lists folders that are to be emptied: deletions that were not ended within a time, and those whose second turn has come.
-- Arguments: that time in milliseconds, how many of each at most.
local answer = redis.call('ZRANGEBYSCORE', P .. 'removals', '-inf', string.format('%.0f', now - arg(1)), 'LIMIT', 0, arg(2))
for _, folder in ipairs(redis.call('ZRANGEBYSCORE', P .. 'removals:late', '-inf', string.format('%.0f', now), 'LIMIT', 0, arg(2))) do
  answer[#answer + 1] = folder
end
return answer
