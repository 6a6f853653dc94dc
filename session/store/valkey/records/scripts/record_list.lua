-- Lists records, newest first. Arguments: first and last member that may be listed, as ZRANGEBYLEX has them; how many are
-- passed over; how many are wanted; then groups of lists, each the number of its lists and their names. A record is listed
-- that is in a list of each group. Answer: the last member for the next call, "" where there are no more; how many were passed
-- over; of each record its id and size in bytes.
local first, last, skip, limit = arg(1), arg(2), tonumber(arg(3)), tonumber(arg(4))
local most_rows, most_skipped, most_looks = 400, 2000, 8000 -- of one call

local groups, rest, looks = {}, nil, 0
local at = 5
while arg(at) do
  local group, lists = {size = 0}, tonumber(arg(at))
  for i = 1, lists do
    local size = redis.call('ZCARD', P .. arg(at + i))
    if size > 0 then group[#group + 1] = P .. arg(at + i) end
    group.size = group.size + size
  end
  if #group == 0 then return {'', 0} end
  looks = looks + #group
  groups[#groups + 1] = group
  at = at + lists + 1
end
table.sort(groups, function(a, b) return a.size < b.size end)
local walked = table.remove(groups, 1) -- the one with the fewest members

-- Of each list as many members are taken; those are whole that lie above where the first full list ends.
local rows = skip > 0 and most_skipped or most_rows
local count = math.max(10, math.min(math.ceil(rows / #walked), math.floor(most_looks / looks), skip + limit))
local members, bound = {}, nil
for _, list in ipairs(walked) do
  local part = redis.call('ZREVRANGEBYLEX', list, last, first, 'LIMIT', 0, count)
  if #part == count and (not bound or part[count] > bound) then bound = part[count] end
  for _, member in ipairs(part) do members[#members + 1] = member end
end
if #walked > 1 then table.sort(members, function(a, b) return a > b end) end

local function within(member)
  for _, group in ipairs(groups) do
    local found = false
    for _, list in ipairs(group) do
      if redis.call('ZSCORE', list, member) then found = true break end
    end
    if not found then return false end
  end
  return true
end

local function bytes(id)
  local key = record_key(id)
  local kind, archived, has_result = unpack(redis.call('HMGET', key, 'kind', 'archived_bytes', 'has_result'))
  local n = tonumber(archived or 0)
  for _, field in ipairs({'params', 'post', 'custom', 'result'}) do n = n + redis.call('HSTRLEN', key, field) end
  if kind == 'live' and (has_result or redis.call('HEXISTS', key, 'result') == 1) then
    n = n + tonumber(redis.call('HGET', P .. 'session:' .. id, 'bytes') or 0)
  end
  return string.format('%.0f', n)
end

local skipped, answer, next = 0, {}, bound and '(' .. bound or ''
for _, member in ipairs(members) do
  if bound and member < bound then break end
  if #answer == 2 * limit then
    next = '[' .. member
    break
  end
  if within(member) then
    if skipped < skip then
      skipped = skipped + 1
    else
      local id = string.sub(member, 17)
      answer[#answer + 1], answer[#answer + 2] = id, bytes(id)
    end
  end
end
return {next, skipped, unpack(answer)}
