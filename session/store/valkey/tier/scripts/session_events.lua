-- Lists events of a session. Arguments: account, empty for any; id; number to begin after; how many at most. Answer: the
-- object in blob storage that has the next ones, its archive or a page, and the number of the last one in it; or "" and 0, and
-- the numbers and fields of those in the stream.
local account, id, after, limit = arg(1), arg(2), tonumber(arg(3)), arg(4)
if account ~= '' and not record_is(account, id) or redis.call('EXISTS', record_key(id)) == 0 then return fail('NOTFOUND') end
local archive, archived = unpack(redis.call('HMGET', session_key(id), 'archive', 'archived'))
if number(archived) > after then return {archive, archived, {}} end
if pages_end(id) > after then
  for _, page in ipairs(redis.call('LRANGE', session_key(id, 'pages'), 0, -1)) do
    local ends, object = string.match(page, '^%d+ (%d+) (.*)$')
    if tonumber(ends) > after then return {object, ends, {}} end
  end
end
return {'', '0', redis.call('XRANGE', session_key(id, 'events'), integer(after + 1), '+', 'COUNT', limit)}
