-- Finds out which commands the user may not use.
-- Arguments: names of commands.
-- Answer: those that are denied; commands that the server does not know, and servers that do not tell, deny none.
local denied = {}
for i = 1, #ARGV - 1 do
  local name = arg(i)
  local key = P .. 'access' -- in every place: what is no key for a command does not count
  local known, allowed = pcall(redis.acl_check_cmd, name, key, key, key, key)
  local command, part = string.match(name, '^(%u+)|(%u+)$')
  if part then known, allowed = pcall(redis.acl_check_cmd, command, part, key) end
  if name == 'PUBLISH' then known, allowed = pcall(redis.acl_check_cmd, name, P .. 'wake', '') end
  if name == 'SUBSCRIBE' then known, allowed = pcall(redis.acl_check_cmd, name, P .. 'wake') end
  if name == 'EVAL' or name == 'EVALSHA' then known, allowed = pcall(redis.acl_check_cmd, name, 'return', '1', key) end
  if known and not allowed then denied[#denied + 1] = name end
end
return denied
