-- Finds a record by the hash of its token. Answer: its id, then names and values of its fields.
local id = redis.call('GET', P .. 'record:token:' .. arg(1))
if not id then return fail('NOTFOUND') end
return {id, redis.call('HGETALL', record_key(id))}
