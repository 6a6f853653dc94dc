-- Keeps again an upload that the server has lost. Arguments: id, names and values of its fields. Answer: as that of record_rebuild.
local id, key, fields, u = arg(1), P .. 'upload:' .. arg(1), {}, {}
for i = 2, #ARGV - 1, 2 do
  fields[#fields + 1], fields[#fields + 2] = arg(i), arg(i + 1)
  u[arg(i)] = arg(i + 1)
end
if redis.call('EXISTS', key) == 1 then return 'there' end
if redis.call('ZSCORE', P .. 'removals', u.folder) or redis.call('ZSCORE', P .. 'removals:late', u.folder) then return 'deleted' end
redis.call('HSET', key, 'made', text(now), unpack(fields))
held_add(u.account, u.key, u.size)
redis.call('ZADD', P .. 'unused', text(now), id)
return 'ok'
