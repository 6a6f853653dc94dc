-- Has finished records archived of which blob storage has no description. Arguments: how many are passed over, how many are looked at.
-- Answer: how many were looked at.
local ids = redis.call('ZRANGE', P .. 'finished', arg(1), tonumber(arg(1)) + tonumber(arg(2)) - 1)
for _, id in ipairs(ids) do
  if redis.call('HEXISTS', record_key(id), 'described') == 0 then redis.call('ZADD', P .. 'archive', 'NX', text(now), id) end
end
return #ids
