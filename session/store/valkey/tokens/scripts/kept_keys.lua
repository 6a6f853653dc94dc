-- Tells whether API keys or secrets have changed since they were written to blob storage, or notes that they were. Arguments: a new name
-- for the history of a server that has none; or the name of its history, and what the changes were counted at when they were written.
-- Answer: what they are counted at, what they were written at ("": never), the name of the history.
if arg(2) then
  redis.call('SET', P .. 'kept:saved', arg(2))
  return 'OK'
end
if redis.call('EXISTS', P .. 'kept', P .. 'keys', P .. 'secrets', P .. 'datakeys', P .. 'quotas') == 0 then return {'', '', ''} end -- there is nothing to be written
redis.call('SET', P .. 'kept:history', arg(1), 'NX')
return {redis.call('GET', P .. 'kept') or '0', redis.call('GET', P .. 'kept:saved') or '', redis.call('GET', P .. 'kept:history')}
