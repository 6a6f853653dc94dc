-- Lists the nodes whose reports are valid.
-- Answer: names and until when, in milliseconds.
return redis.call('ZRANGEBYSCORE', P .. 'nodes', '(' .. text(now), '+inf', 'WITHSCORES')
