-- What the holder of a claim does. Included after session.lua. The first arguments are the session's id, the nonce and the
-- generation of the claim, and the folder of the record, which another record of that id does not have.
local id, nonce, generation, folder = arg(1), arg(2), tonumber(arg(3)), arg(4)

-- claim_state returns, after two values, the fields of the session named. The first value is an error of the contract where
-- the claim has ended: NOTFOUND, or TAKEN or LOST by how the one who has had the session since came to it. The second is true where
-- the server has forgotten the claim, as after a failover to a replica that lagged, or the record as well: a claim of the last
-- five minutes, whose record is not among those removed of late.
local function claim_state(...)
  local account, current = unpack(redis.call('HMGET', record_key(id), 'account', 'folder'))
  if not current and now - generation < 300000 and not redis.call('ZSCORE', P .. 'removals', folder)
    and not redis.call('ZSCORE', P .. 'removals:late', folder) then
    return nil, true
  end
  if not account or current ~= folder then return fail('NOTFOUND') end
  local state = redis.call('HMGET', session_key(id), 'nonce', 'generation', 'seized', ...)
  if state[1] ~= nonce and number(state[2]) >= generation then
    local by_another = state[1] or number(state[2]) > generation -- also one who has given it back since
    return fail(by_another and state[3] == '1' and 'TAKEN' or 'LOST')
  end
  return nil, state[1] ~= nonce, unpack(state, 4, 3 + select('#', ...))
end
