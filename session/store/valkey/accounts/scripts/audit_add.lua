-- Adds entries to the audit log. Arguments: for how long entries are kept, in milliseconds; how many are; then of each entry its time,
-- account, action and the rest. Numbers are microseconds, or one more than the last.
local key = P .. 'audit'
local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
local number = last and tonumber(string.match(last[1], '^%d+')) or 0
redis.call('XTRIM', key, 'MINID', '~', text(math.max(0, now - tonumber(arg(1))) * 1000) .. '-0')
redis.call('XTRIM', key, 'MAXLEN', '~', arg(2))
for i = 3, #ARGV - 1, 4 do
  number = math.max(now * 1000, number + 1)
  redis.call('XADD', key, text(number) .. '-0', 'at', arg(i), 'account', arg(i + 1), 'action', arg(i + 2), 'body', arg(i + 3))
end
return 'OK'
