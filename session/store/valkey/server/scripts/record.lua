-- What changes a record and the lists that it is in. Included by the scripts of every part.

-- record_key names the hash of a record: its fields are those of decodeRecord.
local function record_key(id) return P .. 'record:' .. id end

-- record_is tells whether the account has the record.
local function record_is(account, id) return redis.call('HGET', record_key(id), 'account') == account end

-- list_key names the list of an account's records of a kind and status; list_member is a record in lists. Members are ordered
-- by their characters, which is by age; all scores are 0.
local function list_key(account, kind, status) return P .. 'list:' .. kind .. ':' .. status .. ':' .. account end
local function list_member(created, id) return string.format('%015d:%s', created, id) end

-- is_finished tells whether a status is one of a record that has its outcome.
local function is_finished(status) return status == 'done' or status == 'error' end

-- record_status gives a record another status, and moves it between the lists.
local function record_status(id, status)
  local key = record_key(id)
  local account, kind, before, created = unpack(redis.call('HMGET', key, 'account', 'kind', 'status', 'created'))
  if before == status then return end
  local member = list_member(created, id)
  redis.call('ZREM', list_key(account, kind, before), member)
  redis.call('ZADD', list_key(account, kind, status), 0, member)
  redis.call('HSET', key, 'status', status)
end

-- parts_left returns what of a set of parts is not in another one; both are numbers of bits.
local function parts_left(parts, gone)
  return bit.band(tonumber(parts or 0), bit.bnot(tonumber(gone or 0)))
end

-- record_ended puts a record that has its outcome where the finished ones are found, and those to be archived.
local function record_ended(id, completed)
  redis.call('ZADD', P .. 'finished', completed, id)
  redis.call('ZADD', P .. 'archive', string.format('%.0f', now), id)
  redis.call('ZREM', P .. 'due', id)
  local transient, gone = unpack(redis.call('HMGET', record_key(id), 'transient', 'stripped'))
  if parts_left(transient, gone) ~= 0 then redis.call('ZADD', P .. 'transient', completed, id) end
end

-- live_count returns how many live sessions of an account are not finished.
local function live_count(account)
  return redis.call('ZCARD', list_key(account, 'live', 'queued')) + redis.call('ZCARD', list_key(account, 'live', 'processing'))
end

-- usage_key names what an account has used on a day; days are counted from 1970. It is kept for usage_kept days.
local usage_kept, day_length = 800, 86400000
local function usage_day() return math.floor(now / day_length) end
local function usage_key(day, account) return P .. 'usage:' .. string.format('%.0f', day) .. ':' .. account end

-- usage_add counts what an account has used: a list, as JSON, of model, item and amount.
local function usage_add(account, list)
  local day = usage_day()
  local key = usage_key(day, account)
  for _, use in ipairs(cjson.decode(list)) do redis.call('HINCRBY', key, use[1] .. '\0' .. use[2], use[3]) end
  redis.call('PEXPIRE', key, string.format('%.0f', usage_kept * day_length))
  redis.call('ZADD', P .. 'usage', day, string.format('%.0f', day) .. ':' .. account)
  redis.call('ZREMRANGEBYSCORE', P .. 'usage', '-inf', day - usage_kept)
end

-- record_finish keeps the outcome of an unfinished record: its status is done or error. Fields are names and values of what
-- else the record has from now on; an empty value removes the field. A field use is what usage_add counts.
local function record_finish(id, status, fields)
  local key, completed = record_key(id), string.format('%.0f', now)
  redis.call('HSET', key, 'completed', completed)
  redis.call('HINCRBY', key, 'revision', 1)
  for i = 1, #fields, 2 do
    if fields[i] == 'use' then
      usage_add(redis.call('HGET', key, 'account'), fields[i + 1])
    elseif fields[i + 1] == '' then
      redis.call('HDEL', key, fields[i])
    else
      redis.call('HSET', key, fields[i], fields[i + 1])
    end
  end
  record_status(id, status)
  record_ended(id, completed)
end

-- held_add counts bytes of an upload or of a finished recording for the account and the API key, by its hash, that it belongs to; held_less
-- counts them no longer.
local function held_add(account, key, bytes)
  bytes = tonumber(bytes or 0) or 0
  if bytes == 0 then return end
  for where, name in pairs({['held'] = key or '', ['held:accounts'] = account or ''}) do
    if redis.call('HINCRBY', P .. where, name, string.format('%.0f', bytes)) <= 0 then redis.call('HDEL', P .. where, name) end
  end
end
local function held_less(account, key, bytes) held_add(account, key, -(tonumber(bytes or 0) or 0)) end

-- upload_is tells whether the account has the upload.
local function upload_is(account, id) return redis.call('HGET', P .. 'upload:' .. id, 'account') == account end

-- upload_leave says that a record does not refer to an upload any more, and tells whether none does. The upload is then
-- among the unused.
local function upload_leave(upload, id)
  local key = P .. 'upload:' .. upload
  redis.call('SREM', key .. ':records', id)
  if redis.call('EXISTS', key .. ':records') == 1 then return false end
  local made, created = unpack(redis.call('HMGET', key, 'made', 'created')) -- by the clocks of the server and of a node
  if created then redis.call('ZADD', P .. 'unused', made or created, upload) end
  return created and true
end

-- record_upload makes a record refer to an upload, to none where that is empty.
local function record_upload(id, upload)
  local key = record_key(id)
  local before = redis.call('HGET', key, 'upload')
  if before == upload then return end
  if before then upload_leave(before, id) end
  if upload == '' then
    redis.call('HDEL', key, 'upload')
  else
    redis.call('SADD', P .. 'upload:' .. upload .. ':records', id)
    redis.call('ZREM', P .. 'unused', upload)
    redis.call('HSET', key, 'upload', upload)
  end
end

-- folder_gone has the blobs of a folder removed.
local function folder_gone(folder)
  redis.call('ZADD', P .. 'removals', string.format('%.0f', now), folder)
  redis.call('SET', P .. 'erase', string.format('%.0f', now))
end

-- upload_remove removes an upload, and returns its folder, which is to be emptied.
local function upload_remove(upload)
  local folder, account, held_by, size = unpack(redis.call('HMGET', P .. 'upload:' .. upload, 'folder', 'account', 'key', 'size'))
  held_less(account, held_by, size)
  redis.call('DEL', P .. 'upload:' .. upload)
  redis.call('ZREM', P .. 'unused', upload)
  folder_gone(folder)
  return folder
end
