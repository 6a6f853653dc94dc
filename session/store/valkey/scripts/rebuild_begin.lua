-- Notes that events that were durable may be lost: numbers told before may mean other events.
redis.call('HINCRBY', P .. 'server', 'epoch', 1)
return 'OK'
