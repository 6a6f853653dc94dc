import { html } from '../../html.js'
import { clock, language, length, several, timeOfDay } from '../../lib/format.js'
import { href } from '../../lib/router.js'
import { SmallWaveform } from './waveform.js'

const unfinished = ['queued', 'processing']

/** A record in the list. It is found by a text: its first place is shown in place of its first words. */
export function Row({ item, text }) {
  const live = item.kind === 'live'
  const running = live && unfinished.includes(item.status)
  const path = running ? href(['sessions', item.id]) : href(['records', item.id], { text: item.places?.count > 0 ? text : '' })
  const heard = item.audio_duration > 0
  return html`<a class="record-row" href=${path}>
    <time class="at">${timeOfDay(item.created_at)}</time>
    <div class="body">
      <div class="title"><span>${titleOf(item)}</span><${Tag} item=${item} running=${running} /></div>
      <div class="said">${item.places?.count > 0 ? html`<${Place} places=${item.places} text=${text} />` : firstWords(item, running)}</div>
    </div>
    ${heard && !unfinished.includes(item.status) ? html`<${SmallWaveform} path=${`v2/${live ? 'live' : 'pre-recorded'}/${item.id}`} />` : html`<span class="small-waveform"></span>`}
    <div class="meta"><span>${who(item)}</span><span>${how(item)}</span></div>
    <span class="duration num">${heard ? clock(item.audio_duration) : '–'}</span>
  </a>`
}

function titleOf(item) {
  if (item.title) return item.title
  const words = item.first_words.split(' ')
  if (item.first_words) return words.length > 7 ? `${words.slice(0, 7).join(' ').replace(/[.,;:]$/, '')}…` : item.first_words
  return item.kind === 'live' ? 'Session without words' : 'Recording without words'
}

function firstWords(item, running) {
  if (item.first_words) return item.first_words
  if (running) return 'Still running: follow it.'
  if (unfinished.includes(item.status)) return 'The words come when the job is done.'
  if (item.status === 'error') return item.error_message || `The server gave ${item.error_code}.`
  return item.audio_duration > 0 ? `No words. Speech was looked for in ${length(item.audio_duration)} and none was found.` : 'No audio came.'
}

function Tag({ item, running }) {
  const tag = (dot, text) => html`<span class="tag"><i class=${`dot ${dot}`}></i>${text}</span>`
  if (running) return tag('live', 'running')
  if (item.status === 'processing') return tag('live', item.progress === null ? 'transcribing' : `transcribing, ${Math.round(item.progress * 100)} %`)
  if (item.status === 'queued') return tag('open', 'waits for its turn')
  if (item.status === 'error') return tag('bad', item.kind === 'live' ? 'ended early' : 'failed')
  if (item.callbacks?.given_up > 0) return tag('bad', `${several(item.callbacks.given_up, 'callback')} given up`)
  if (item.callbacks?.waiting > 0) return tag('warn', `${several(item.callbacks.waiting, 'callback')} waiting`)
  return null
}

function Place({ places, text }) {
  const at = places.text.toLowerCase().indexOf(text.toLowerCase())
  const [before, hit, after] = at < 0 ? [places.text, '', ''] : [places.text.slice(0, at), places.text.slice(at, at + text.length), places.text.slice(at + text.length)]
  return html`<time>${clock(places.start)}</time> ${before}${hit && html`<mark class="hit">${hit}</mark>`}${after}${places.count > 1 &&
    html`<span class="dim"> and ${places.count - 1} more</span>`}`
}

function who(item) {
  const spoken = item.languages.length > 0 ? item.languages.slice(0, 2).map(language).join(', ') : item.status === 'done' ? 'no speech' : ''
  const voices = item.speakers > 1 ? several(item.speakers, 'speaker') : item.number_of_channels > 1 ? several(item.number_of_channels, 'channel') : ''
  return [spoken, voices].filter(Boolean).join(', ')
}

function how(item) {
  const codec = { 'wav/alaw': 'a-law', 'wav/ulaw': 'mu-law' }[item.encoding]
  return [item.kind === 'live' ? 'live' : 'file', codec, item.redacted && 'redacted'].filter(Boolean).join(', ')
}
