-- Keeps a data key. Arguments: "add" for one that is not there, "wrap" or "forget" for one that is; its name; its text; mark of the erasure.
local how, name, value = arg(1), arg(2), arg(3)
local there = redis.call('HGET', P .. 'datakeys', name)
if how == 'add' and there then return fail('EXISTS') end
if how ~= 'add' and not there then return fail('NOTFOUND') end
if how == 'wrap' and string.find(there, '"wrapped":null', 1, true) then return fail('NOTFOUND') end
redis.call('HSET', P .. 'datakeys', name, value)
redis.call('INCR', P .. 'kept') -- see keptKeys
if how == 'forget' then
  redis.call('SET', P .. 'erase', text(now))
  erasure_note(arg(4))
end
return 'OK'
