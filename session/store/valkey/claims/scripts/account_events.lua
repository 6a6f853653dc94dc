-- Lists events of an account's log. Arguments: account, number to begin after, how many entries are looked at, "back" for those before
-- the number, the last one first. Answer: the number up to which older ones are not kept, and for each entry its number, the session, the
-- event's number, and of the event kind, key and body; these are missing where it has left the server, and the entry is where the record
-- was deleted. The last value is the number of the last entry looked at.
local account, from, limit, back = arg(1), tonumber(arg(2)), arg(3), arg(4) == 'back'
local answer, entries = {redis.call('HGET', P .. 'accounts:trimmed', account) or '0', {}, integer(from)}
if back then
  entries = redis.call('XREVRANGE', P .. 'account:' .. account, integer(from - 1), '-', 'COUNT', limit)
else
  entries = redis.call('XRANGE', P .. 'account:' .. account, integer(from + 1), '+', 'COUNT', limit)
end
for _, entry in ipairs(entries) do
  local n, id, seq = string.match(entry[1], '%d+'), entry[2][2], entry[2][4]
  if record_is(account, id) then
    local event = redis.call('XRANGE', session_key(id, 'events'), seq, seq)[1]
    answer[2][#answer[2] + 1] = {n, id, seq, event and event[2]}
  end
  answer[3] = n
end
return answer
