import { useRef, useState } from 'preact/hooks'
import { Icon } from '../../components/icon.js'
import { Json } from '../../components/json.js'
import { html } from '../../html.js'
import { useCell } from '../../lib/cell.js'
import { clock, count, several } from '../../lib/format.js'
import { usePreference } from '../../lib/preferences.js'
import { groups } from './log.js'
import { current, logged } from './recording.js'

const shownAtOnce = 200

/** Every message of the session, the newest first. */
export function Messages() {
  useCell(logged)
  const [shown, setShown] = usePreference('talk.groups', ['Transcripts', 'Speech', 'Add-ons'])
  const [open, setOpen] = useState(null)
  const [limit, setLimit] = useState(shownAtOnce)
  const log = current?.log
  const list = log ? log.entries.filter((e) => shown.includes(e.group)) : []
  const newest = list.slice(-limit).reverse()
  const toggle = (group) => () => setShown(shown.includes(group) ? shown.filter((g) => g !== group) : [...shown, group])
  return html`<div class="panel-body">
      <div class="filters" role="group" aria-label="Show">
        ${groups.map((g) => html`<button key=${g} type="button" class="chip" aria-pressed=${shown.includes(g)} onClick=${toggle(g)}>${g}</button>`)}
      </div>
      ${newest.length === 0 && html`<p class="nothing">${log ? 'Nothing of this kind has come yet.' : 'Every message of a session stands here, as it came.'}</p>`}
      <div class="messages">
        ${newest.map((e) => html`<${Row} key=${e.n} entry=${e} open=${open === e.n} onOpen=${() => setOpen(open === e.n ? null : e.n)} />`)}
      </div>
      ${list.length > limit &&
      html`<p class="nothing"><button type="button" class="button small" onClick=${() => setLimit(limit + shownAtOnce)}>${`Show ${count(Math.min(shownAtOnce, list.length - limit))} older`}</button></p>`}
    </div>
    <div class="panel-foot">
      <span class="grow"><span class="num">${count(log?.received ?? 0)}</span> received, <span class="num">${several(log?.acks ?? 0, 'ack')}</span></span>
      <button type="button" class="button small" disabled=${!log} onClick=${() => download(log.lines())}><${Icon} name="download" />JSON lines</button>
    </div>`
}

function Row({ entry, open, onOpen }) {
  const message = useRef(null)
  message.current ??= JSON.parse(entry.text)
  const final = entry.type === 'transcript' && !entry.partial
  return html`<button type="button" class=${`message${open ? ' open' : ''}`} aria-expanded=${open} onClick=${onOpen}>
      <span class="at">${clock(Math.max(0, entry.at), 3)}</span><span class="at">${entry.up ? '↑' : '↓'}</span>
      <span><b>${entry.type}${final && ' final'}</b>${entry.partial && html` <span class="pale">partial</span>`}</span>
      <span class="gist">${gist(entry, message.current)}</span>
    </button>
    ${open && html`<${Json} value=${message.current} />`}`
}

/** What a message says, in a line. */
function gist({ type, partial }, { data, acknowledged, error, code }) {
  if (type === 'closed') return `code ${code}`
  if (type === 'sent') return 'POST /v2/live'
  if (error) return error.message
  switch (type) {
    case 'transcript':
      if (partial) return data.utterance.text.trim()
      return `${several(data.utterance.words.length, 'word')}, confidence ${data.utterance.confidence.toFixed(2)}`
    case 'speech_start':
    case 'speech_end':
      return `channel ${data.channel} at ${data.time.toFixed(2)}`
    case 'audio_chunk':
      return acknowledged ? `bytes ${data.byte_range.join(' to ')}` : ''
    case 'translation':
      return `${data.target_language}: ${data.translated_utterance.text.trim()}`
    case 'named_entity_recognition':
      return data.results.map((r) => r.text).join(', ') || 'nothing found'
    case 'sentiment_analysis':
      return data.results.map((r) => r.sentiment).join(', ')
    case 'post_summarization':
      return data.results
  }
  if (Array.isArray(data?.results)) return data.results.map((r) => (typeof r === 'object' ? Object.values(r)[0] : r)).join(', ') || 'nothing found'
  return data?.recording_duration ? `${data.recording_duration} s` : ''
}

function download(text) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }))
  link.download = `session-${current.id || 'messages'}.jsonl`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
