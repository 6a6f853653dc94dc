-- What changes tokens. Included by the scripts of keys and tokens.

-- token_left returns how many milliseconds a token lasts yet, 0 or less where it has expired or there is none. It ends by the server's
-- clock; what it expires at is what the node that made it has told. Tokens of earlier versions have that alone.
local function token_left(hash)
  local ends, expires = unpack(redis.call('HMGET', P .. 'token:' .. hash, 'ends', 'expires'))
  return (ends or expires or 0) - now
end

-- session_tokens names the list of the hashes of the tokens that are for a session by name, by their end.
local function session_tokens(session) return P .. 'session:' .. session .. ':tokens' end

-- token_forget removes a token and takes it out of all lists.
local function token_forget(hash)
  local id, account, key, sessions = unpack(redis.call('HMGET', P .. 'token:' .. hash, 'id', 'account', 'key', 'sessions'))
  if not id then return end
  for _, session in ipairs(sessions and cjson.decode(sessions) or {}) do redis.call('ZREM', session_tokens(session), hash) end
  redis.call('DEL', P .. 'token:' .. hash, P .. 'token:id:' .. id)
  redis.call('ZREM', P .. 'tokens:' .. account, hash)
  redis.call('ZREM', P .. 'key:' .. key .. ':tokens', hash)
  redis.call('ZREM', P .. 'tokens', hash)
end

-- tokens_of_session takes a session that was deleted out of its tokens, and forgets those that are for no other. It answers false where
-- that takes another call.
local function tokens_of_session(session)
  local most = 200
  local list = redis.call('ZRANGE', session_tokens(session), 0, most - 1)
  for _, hash in ipairs(list) do
    redis.call('ZREM', session_tokens(session), hash)
    local key, left = P .. 'token:' .. hash, {}
    for _, other in ipairs(cjson.decode(redis.call('HGET', key, 'sessions') or '[]')) do
      if other ~= session then left[#left + 1] = other end
    end
    if #left == 0 then
      token_forget(hash)
    else
      redis.call('HSET', key, 'sessions', cjson.encode(left))
    end
  end
  return #list < most
end
