-- The logs of accounts: which events of which sessions, in the order in which they became durable. Included after session.lua.
local most_listed, trimmed_at_once = 10000, 100

-- account_append adds an event of a session to the log of an account. Numbers go by the time, so that a server that was promoted
-- and lacks the last ones gives none of theirs to other events.
local function account_append(account, id, seq)
  local key, ends = P .. 'account:' .. account, P .. 'accounts'
  local n = integer(math.max(number(redis.call('HGET', ends, account)) + 1, now * 1000))
  redis.call('XADD', key, n .. '-0', 'id', id, 'seq', integer(seq))
  redis.call('HSET', ends, account, n)
  if redis.call('XLEN', key) >= most_listed + trimmed_at_once then
    local oldest = redis.call('XRANGE', key, '-', '+', 'COUNT', trimmed_at_once)
    redis.call('HSET', P .. 'accounts:trimmed', account, string.match(oldest[#oldest][1], '%d+'))
    redis.call('XTRIM', key, 'MAXLEN', most_listed)
  end
  redis.call('PUBLISH', P .. 'wake:account:' .. account, '1')
end
