-- What changes a record and the lists that it is in. Included by the scripts of every part.

-- record_key names the hash of a record: its fields are those of store.Record.
local function record_key(id) return P .. 'record:' .. id end

-- record_is tells whether the account has the record.
local function record_is(account, id) return redis.call('HGET', record_key(id), 'account') == account end

-- record_status makes an unfinished record queued or processing.
local function record_status(id, status) redis.call('HSET', record_key(id), 'status', status) end

-- record_finish keeps the outcome of an unfinished record: its status is done or error. Fields are names and values of what
-- else the record has from now on; an empty value removes the field.
local function record_finish(id, status, fields)
  local key = record_key(id)
  redis.call('HSET', key, 'status', status, 'completed', string.format('%d', now))
  for i = 1, #fields, 2 do
    if fields[i + 1] == '' then
      redis.call('HDEL', key, fields[i])
    else
      redis.call('HSET', key, fields[i], fields[i + 1])
    end
  end
end

-- upload_is tells whether the account has the upload.
local function upload_is(account, id) return redis.call('HGET', P .. 'upload:' .. id, 'account') == account end

-- record_upload makes a record refer to an upload, to none where that is empty.
local function record_upload(id, upload)
  if upload == '' then
    redis.call('HDEL', record_key(id), 'upload')
  else
    redis.call('HSET', record_key(id), 'upload', upload)
  end
end
