-- What changes tokens. Included by the scripts of keys and tokens.

-- token_left returns how many milliseconds a token lasts yet, 0 or less where it has expired or there is none. It ends by the server's
-- clock; what it expires at is what the node that made it has told. Tokens of earlier versions have that alone.
local function token_left(hash)
  local ends, expires = unpack(redis.call('HMGET', P .. 'token:' .. hash, 'ends', 'expires'))
  return (ends or expires or 0) - now
end

-- token_forget removes a token and takes it out of all lists.
local function token_forget(hash)
  local id, account, key = unpack(redis.call('HMGET', P .. 'token:' .. hash, 'id', 'account', 'key'))
  if not id then return end
  redis.call('DEL', P .. 'token:' .. hash, P .. 'token:id:' .. id)
  redis.call('ZREM', P .. 'tokens:' .. account, hash)
  redis.call('ZREM', P .. 'key:' .. key .. ':tokens', hash)
  redis.call('ZREM', P .. 'tokens', hash)
end
