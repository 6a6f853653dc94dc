-- Lists sessions that are due. Arguments: lease in milliseconds, how many are passed over, how many are listed. Answer: their
-- ids, "" for one that is not due yet because its holder could not renew its lease while the server was away.
local lease, skip, limit, answer = tonumber(arg(1)), arg(2), arg(3), {}
local late = now < server_began() + lease
for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'due', '-inf', integer(now), 'LIMIT', skip, limit)) do
  if late and number(redis.call('HGET', session_key(id), 'until')) > 0 then id = '' end
  answer[#answer + 1] = id
end
return answer
