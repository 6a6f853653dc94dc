-- What changes tokens. Included by the scripts of keys and tokens.

-- token_ended tells whether a time of expiry, as text, has come; it has where there is none.
local function token_ended(expires) return not expires or tonumber(expires) <= now end

-- token_forget removes a token and takes it out of all lists.
local function token_forget(hash)
  local id, account, key = unpack(redis.call('HMGET', P .. 'token:' .. hash, 'id', 'account', 'key'))
  if not id then return end
  redis.call('DEL', P .. 'token:' .. hash, P .. 'token:id:' .. id)
  redis.call('ZREM', P .. 'tokens:' .. account, hash)
  redis.call('ZREM', P .. 'key:' .. key .. ':tokens', hash)
  redis.call('ZREM', P .. 'tokens', hash)
end
