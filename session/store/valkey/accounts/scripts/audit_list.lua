-- Lists entries of the audit log, newest first. Arguments: account and action ("": any), time since when, the number before which
-- (0: the newest), how many are listed. Looks at 2000 entries. Answer: the number before which to go on (0: there is nothing more),
-- and of each entry its number, time, account, action and the rest.
local account, action, since, before, most = arg(1), arg(2), tonumber(arg(3)), tonumber(arg(4)), tonumber(arg(5))
local answer, looked = {'0'}, 0
local from = '+'
while looked < 2000 do
  if before > 0 then from = '(' .. text(before) .. '-0' end
  local page = redis.call('XREVRANGE', P .. 'audit', from, '-', 'COUNT', 200)
  for _, entry in ipairs(page) do
    local e = entry[2] -- names and values in turn, as they were added
    before = tonumber(string.match(entry[1], '^%d+'))
    looked = looked + 1
    if tonumber(e[2]) >= since and (account == '' or e[4] == account) and (action == '' or e[6] == action) then
      for _, value in ipairs({text(before), e[2], e[4], e[6], e[8]}) do answer[#answer + 1] = value end
      if #answer > most * 5 then
        answer[1] = text(before)
        return answer
      end
    elseif tonumber(e[2]) < since - 60000 then -- those before it are older but for what clocks differ by
      return answer
    end
  end
  if #page < 200 then return answer end
end
answer[1] = text(before)
return answer
