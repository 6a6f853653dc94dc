-- Finds a record by the hash of its token. Arguments: the hash; lease in milliseconds. Answer: its id, then names and values of its
-- fields. For a lease's time after a server has begun in another's place it may not know the record before the session's holder
-- has come and written it again.
local id = redis.call('GET', P .. 'record:token:' .. arg(1))
if not id then return fail(now - server_began() < number(arg(2)) and 'AWAY' or 'NOTFOUND') end
return {id, redis.call('HGETALL', record_key(id))}
