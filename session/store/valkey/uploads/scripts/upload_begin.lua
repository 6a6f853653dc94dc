-- Notes that an upload's bytes arrive in a folder. Argument: the folder.
redis.call('ZADD', P .. 'arriving', string.format('%.0f', now), arg(1))
return 'OK'
