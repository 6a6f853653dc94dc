-- P begins the names of all keys; now is the time in milliseconds; arg(n) is the nth argument; fail(word) is what a script
-- returns for an error of the contract (failures in server.go); text(number) is a whole number as commands take it.
local P = KEYS[1]
local now = tonumber(ARGV[1])
if not now then
  local t = redis.call('TIME')
  now = t[1] * 1000 + math.floor(t[2] / 1000)
end
local function arg(n) return ARGV[n + 1] end
local function fail(word) return redis.error_reply('STENO ' .. word) end
local function text(number) return string.format('%.0f', number) end

