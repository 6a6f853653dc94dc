redis.call('SET', P .. 'clock', now)
return redis.call('GET', P .. 'clock')
