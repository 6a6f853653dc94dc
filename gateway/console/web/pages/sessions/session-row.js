import { Icon } from '../../components/icon.js'
import { Meter } from '../../components/meter.js'
import { html } from '../../html.js'
import { clock, language, several } from '../../lib/format.js'

const codecs = { 'wav/pcm': '', 'wav/alaw': 'a-law', 'wav/ulaw': 'mu-law' }

export const decibels = (level) => (level > 0 ? 20 * Math.log10(level) : -60)

/** What a session without a title is called. */
export const nameOf = (s) => s.title || `Session ${s.id.slice(0, 8)}`

/** How the audio of a session comes. */
export const formatOf = (s) => [`${s.sample_rate / 1000} kHz`, codecs[s.encoding] ?? s.encoding, s.channels > 1 && several(s.channels, 'channel')].filter(Boolean).join(', ')

/** What a session does, in a few words, and how urgent that is. */
export function stateOf(s) {
  if (s.state === 'lost') return ['warn', `lost, ${Math.ceil(s.seconds_left ?? 0)} s left`]
  if (s.state === 'ended') return ['', 'finishing']
  if (s.state === 'waiting') return ['', 'just opened']
  if (s.state === 'elsewhere') return ['', 'on another node']
  if (s.speaking) return ['on', 'speaking']
  if (s.quiet !== null) return ['', s.quiet < 60 ? `silent ${Math.round(s.quiet)} s` : `silent ${Math.round(s.quiet / 60)} min`]
  return ['', s.final ? 'silent' : 'listening']
}

/** A running session: its level, what was said last, whose it is, for how long, how late. */
export function SessionRow({ session: s }) {
  const [kind, state] = stateOf(s)
  const level = decibels(s.level ?? 0)
  return html`<a class="session-row" href=${`#/sessions/${s.id}`}>
    <span class="level"><${Meter} level=${level} state=${s.speaking ? 'speaking' : 'off'} /><span class=${`doing ${kind}`}>${state}</span></span>
    <span class=${`last ${s.final || s.partial ? '' : 'none'}`}>
      ${s.final || s.partial ? html`${s.final} <span class="pale">${s.partial}</span>` : s.state === 'elsewhere' ? 'Its words are on another node: follow it.' : 'Nothing said yet'}
    </span>
    <span class="who"><b>${nameOf(s)}</b><span>${formatOf(s)}</span></span>
    <span class="figure age"><span class="num">${clock(s.age)}</span><small>${s.languages.length > 0 ? s.languages.slice(0, 2).map(language).join(', ') : 'any language'}</small></span>
    <span class="figure late"><span class="num">${s.final_delay ? html`${Math.round(s.final_delay * 1000)}<small>ms</small>` : '–'}</span><small>final p95</small></span>
    <${Icon} name="right" />
  </a>`
}
