// What is told of a recording that does not begin, or ends otherwise than by its end: what is so, what happens to the words, and
// what one can do. Each is { kind, icon?, title, text, action?, again? }: action is "file" or "sessions", again the seconds after
// which another attempt is worth it.
import { OpenError } from 'steno:client'
import { Problem, signedOut } from '../../lib/api.js'
import { several } from '../../lib/format.js'

/** A text of the gateway as a sentence. */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1).replace(/ \([a-z_.]+\)$/, '') + '.'

/** Of a session whose socket was closed with a code. */
export function endTrouble(code) {
  switch (code) {
    case 4409:
      return { icon: 'warning', title: 'This session went on in another window.', text: 'It is recorded there.' }
    case 4401:
      return { kind: 'bad', title: 'The session was over before the connection came back.', text: 'What had arrived until then is kept as a record.' }
    case 4429:
      return { kind: 'bad', icon: 'key', title: 'This key may not go on.', text: 'It was removed, or is at its limit. What had arrived until then is kept.' }
  }
  return { kind: 'bad', title: 'The session has ended too early.', text: 'What had arrived until then is kept as a record.' }
}

const devices = {
  NotAllowedError: { icon: 'microphone', title: 'The browser does not let this page listen.', text: 'Allow the microphone in the address bar, then try again. A recording works without.' },
  NotFoundError: { icon: 'microphone', title: 'There is no such microphone.', text: 'Plug one in, or choose another. A recording works without.' },
  OverconstrainedError: { icon: 'microphone', title: 'That microphone is not there now.', text: 'Plug it in, or choose another. A recording works without.' },
  NotReadableError: { icon: 'microphone', title: 'The microphone is in use.', text: 'Another program holds it. Close that, then try again.' },
  SecurityError: { icon: 'lock', title: 'Browsers give microphones to https and localhost alone.', text: 'Open this page by one of these, or use a recording.' },
  EncodingError: { icon: 'file', title: 'The browser cannot play this file.', text: 'It may be no recording. Under Records, files of more kinds can be handed in.' },
}

/** Of a recording that could not begin: an OpenError, or an error of the browser. */
export function openTrouble(error) {
  if (error instanceof OpenError) return refusal(error)
  if (error instanceof Problem) return refusal(new OpenError(error.status, error.message, error.faults, error.retryAfter))
  if (error.name === 'AbortError') return noAnswer() // the worklet of the client did not come
  if (devices[error.name]) return { kind: 'bad', action: 'file', ...devices[error.name] }
  return { kind: 'bad', title: 'It did not begin.', text: error.message }
}

const noAnswer = (again = 5) => ({
  kind: 'bad', icon: 'unplugged', title: 'steno does not answer.', text: 'Nothing was recorded. It may be starting again, which takes a few seconds.', again,
})

function refusal(error) {
  const again = error.retryAfter ?? 5
  switch (error.status) {
    case 0:
    case 502: // of a proxy
    case 504:
      return noAnswer(again)
    case 401:
      signedOut.set(true)
      return null
    case 403:
      return { kind: 'bad', icon: 'key', title: 'This key may not open sessions.', text: sentence(error.message) }
    case 429:
      return limit(error, again)
    case 503:
      return full(error, again)
    case 507:
      return { kind: 'bad', icon: 'disk', title: 'The disk is full, so nothing new is recorded.', text: 'What is there is kept.' }
  }
  return { kind: 'bad', title: 'The options do not go together.', text: [error.message, ...error.faults].map(sentence).join(' ') }
}

/** A limit of the key: of sessions that are open, else of another kind, which the gateway's own words tell. */
function limit(error, again) {
  const open = /has (\d+) unfinished sessions/.exec(error.message)?.[1]
  if (!open) return { kind: 'bad', icon: 'key', title: 'This key is at its limit.', text: sentence(error.message), again }
  return { kind: 'bad', icon: 'key', title: `This key has ${several(Number(open), 'session')} open, and may have ${open}.`, text: 'End one under Sessions, or use another key.', action: 'sessions' }
}

function full(error, again) {
  const when = `Room is likely in about ${again} s.`
  if (/speak as may|fully used/.test(error.message)) {
    return { kind: 'bad', title: 'No room for another session.', text: `As many people are speaking as this machine can follow. ${when}`, again }
  }
  if (/behind|overloaded/.test(error.message)) {
    return { kind: 'bad', title: 'No room for another session.', text: `This machine is behind with the sessions that it has. ${when}`, again }
  }
  if (/shutting down|starting/.test(error.message)) {
    return { kind: 'warn', icon: 'again', title: 'steno is starting again.', text: 'Running sessions wait and go on by themselves. New ones can begin in a few seconds.', again }
  }
  return { kind: 'bad', title: 'No session can begin now.', text: `${sentence(error.message)} ${when}`, again }
}
