-- Lists sessions that are due. Arguments: lease and resume window in milliseconds, how many are passed over, how many are listed.
-- Answer: their ids, "" for one that is not due yet because the server was away: its holder could not renew its lease, or its
-- client could not come.
local lease, window, skip, limit, answer = tonumber(arg(1)), tonumber(arg(2)), arg(3), arg(4), {}
local age = now - server_began()

local function is_early(id)
  if age < lease and number(redis.call('HGET', session_key(id), 'until')) > 0 then return true end
  return age < window and redis.call('HGET', record_key(id), 'stopped') ~= '1'
end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'due', '-inf', integer(now), 'LIMIT', skip, limit)) do
  answer[#answer + 1] = is_early(id) and '' or id
end
return answer
