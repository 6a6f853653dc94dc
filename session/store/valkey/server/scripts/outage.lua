-- Leases of jobs that ran out while the server was away stay their holders' for a while after it: these could not extend them.

-- Processes ask at least every recheck (wake.go); where none did for longer than quiet, the server was away. Leases are
-- extended every 20 s.
local quiet, grace = 15000, 30000

-- outage_grace notes that a process asks, and returns until when no lease ends; 0 for none. It goes by the server's clock alone.
local function outage_grace()
  if ARGV[1] ~= '' then return 0 end
  local seen = tonumber(redis.call('GET', P .. 'seen') or now)
  redis.call('SET', P .. 'seen', text(now))
  if now - seen > quiet then redis.call('SET', P .. 'grace', text(now + grace)) end
  return tonumber(redis.call('GET', P .. 'grace') or 0)
end
