-- Goes on with a deletion. Arguments: id, folder. Answer: "more" where it takes another call, else OK.
local id, folder = arg(1), arg(2)
local owner, current = unpack(redis.call('HMGET', record_key(id), 'account', 'folder'))
if current == folder and not owner and not record_gone(id) then return 'more' end
return 'OK'
