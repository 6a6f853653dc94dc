-- Keeps what a node counts, and sums up what the others do.
-- Arguments: node, milliseconds that the report is valid for, the time by the node's clock, names and counts.
-- Answer: names and sums.
local node = arg(1)
for _, old in ipairs(redis.call('ZRANGEBYSCORE', P .. 'nodes', '-inf', text(now), 'LIMIT', 0, 100)) do
  redis.call('ZREM', P .. 'nodes', old)
  redis.call('DEL', P .. 'node:' .. old)
  redis.call('HDEL', P .. 'clocks', old)
end
local counts = {}
for i = 4, #ARGV - 1, 2 do counts[arg(i)] = tonumber(arg(i + 1)) end
redis.call('SET', P .. 'node:' .. node, cmsgpack.pack(counts))
redis.call('HSET', P .. 'clocks', node, text(tonumber(arg(3)) - now))
redis.call('ZADD', P .. 'nodes', text(now + tonumber(arg(2))), node)

local sums = {}
for _, other in ipairs(redis.call('ZRANGEBYSCORE', P .. 'nodes', '(' .. text(now), '+inf')) do
  if other ~= node then
    for name, count in pairs(cmsgpack.unpack(redis.call('GET', P .. 'node:' .. other))) do
      sums[name] = (sums[name] or 0) + count
    end
  end
end
local answer = {}
for name, sum in pairs(sums) do
  if sum ~= 0 then
    answer[#answer + 1] = name
    answer[#answer + 1] = text(sum)
  end
end
return answer
