import { Voice } from '../../components/voice.js'
import { html } from '../../html.js'
import { useCell } from '../../lib/cell.js'
import { bytes, clock, count, language, length, listed, named, several } from '../../lib/format.js'
import { Callbacks } from './callbacks.js'
import { voicesOf } from './times.js'

export const railTabs = [
  { value: 'summary', label: 'Summary' },
  { value: 'entities', label: 'Entities' },
  { value: 'callbacks', label: 'Callbacks' },
  { value: 'details', label: 'Details' },
]

/** What stands beside the words: one of the tabs above. */
export function Rail({ tab, outline, path, playback, size, onGo }) {
  if (tab === 'entities') return html`<${Entities} outline=${outline} playback=${playback} onGo=${onGo} />`
  if (tab === 'callbacks') return html`<${Callbacks} path=${path} asked=${Boolean(outline.job.request_params?.callback)} />`
  if (tab === 'details') return html`<${Details} outline=${outline} size=${size} />`
  return html`<${Summary} outline=${outline} playback=${playback} />`
}

function Summary({ outline, playback }) {
  const { summary, chapters, answers, structured_data: data, failures } = outline
  const nothing = !summary && chapters.length === 0 && answers.length === 0 && !data && failures.length === 0
  return html`${failures.map((f) => html`<section key=${f.addon} class="failure"><p><strong>${named(f.addon)} failed.</strong> ${f.message}. The transcript is complete.</p></section>`)}
    ${summary && html`<section><p class="mid prose">${summary}</p></section>`}
    ${chapters.length > 0 && html`<${ChapterList} chapters=${chapters} playback=${playback} />`}
    ${answers.map((a) => html`<section key=${a.prompt}><h3>${a.prompt}</h3><p class="mid prose">${a.response ?? 'No answer.'}</p></section>`)}
    ${data && html`<section><h3>Structured data</h3><pre class="data" tabindex="0">${pretty(data)}</pre></section>`}
    ${nothing && html`<section><p class="mid">No summary was asked for. Summaries and chapters are options of a session, and of a recording that is handed in.</p></section>`}`
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function ChapterList({ chapters, playback }) {
  const at = useCell(playback.at)
  const now = chapters.findLast((c) => c.start <= at + 0.01)
  return html`<section class="chapter-list">
    ${chapters.map(
      (c) => html`<button key=${c.start} type="button" aria-current=${c === now ? 'true' : null} onClick=${() => playback.seek(c.start)}>
        <time>${clock(c.start)}</time><b>${c.headline}</b><span>${c.summary || c.gist}</span>
      </button>`,
    )}
  </section>`
}

const shownOfType = 30

function Entities({ outline, playback, onGo }) {
  const groups = new Map()
  for (const e of outline.entities) groups.set(e.entity_type, [...(groups.get(e.entity_type) ?? []), e])
  const go = (e) => {
    playback.seek(e.start)
    if (e.utterance >= 0) onGo(e.utterance)
  }
  return html`<section>
    ${groups.size === 0 && html`<p class="mid">No entities were found, or none were asked for.</p>`}
    ${[...groups].map(
      ([type, list]) => html`<div class="entity-group" key=${type}>
        <h3><span>${type}</span><span>${count(list.length)}</span></h3>
        <ul>
          ${list.slice(0, shownOfType).map((e) => html`<li key=${e.start}><button type="button" onClick=${() => go(e)}><span>${e.text}</span><time>${clock(e.start)}</time></button></li>`)}
        </ul>
        ${list.length > shownOfType && html`<p class="dim label">and ${count(list.length - shownOfType)} more in the transcript</p>`}
      </div>`,
    )}
    <${Moods} outline=${outline} onGo=${go} />
  </section>`
}

function Moods({ outline, onGo }) {
  const counts = outline.sentiment_counts
  const all = Object.values(counts).reduce((a, b) => a + b, 0)
  if (all === 0) return null
  const strongest = outline.sentiments.find((s) => s.sentiment === 'negative') ?? outline.sentiments[0]
  const kinds = ['positive', 'negative', 'mixed'].filter((k) => counts[k] > 0).map((k) => `${count(counts[k])} ${counts[k] === 1 ? 'is' : 'are'} ${k}`)
  return html`<h3 class="moods">Sentiment</h3>
    <p class="mid prose">
      ${kinds.length === 0 ? `All ${several(all, 'sentence')} are neutral.` : `Of ${several(all, 'sentence')} ${listed(kinds)}.`}
      ${strongest &&
      html`${' '}The first ${strongest.sentiment} one is at${' '}
        <button type="button" class="inline" onClick=${() => onGo(strongest)}><time>${clock(strongest.start)}</time></button>.`}
    </p>`
}

function Details({ outline, size }) {
  const { job } = outline
  const p = job.request_params ?? {}
  const voices = voicesOf(outline.utterances)
  const format = [p.sample_rate && `${p.sample_rate / 1000} kHz`, p.bit_depth && `${p.bit_depth} bit`, p.encoding && p.encoding !== 'wav/pcm' && p.encoding, job.file?.number_of_channels && several(job.file.number_of_channels, 'channel'), size && bytes(size)]
  const meta = Object.entries(job.custom_metadata ?? {})
  const facts = [
    ['Id', html`<span class="mono label">${job.id}</span>`],
    ['State', job.status + (job.error_code ? `, ${job.error_code}: ${job.post_session_metadata?.error_message ?? ''}` : '')],
    [job.kind === 'live' ? 'Opened' : 'Handed in', new Date(job.created_at).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'medium' })],
    ['File', job.file?.filename],
    ['Source', job.file?.source && html`<span class="mono label">${job.file.source}</span>`],
    ['Audio', [job.file?.audio_duration && length(job.file.audio_duration), ...format].filter(Boolean).join(', ')],
    ['Language', listed(outline.languages.map(language))],
    ['Model', p.model],
    ['Warnings', job.warnings?.length && html`<ul>${job.warnings.map((w) => html`<li>${w.message ?? w.field ?? String(w)}</li>`)}</ul>`],
    ['Metadata', meta.length > 0 && html`<span class="mono label">${meta.map(([k, v]) => html`${k}: ${typeof v === 'string' ? v : JSON.stringify(v)}<br />`)}</span>`],
  ]
  return html`<section>
      <dl class="facts-list">${facts.filter(([, v]) => v).map(([k, v]) => html`<dt>${k}</dt><dd>${v}</dd>`)}</dl>
    </section>
    ${voices.length > 1 &&
    html`<section>
      <h3>Who spoke</h3>
      <dl class="facts-list">${voices.map((v) => html`<dt><${Voice} n=${v.n} name=${v.name} /></dt><dd class="num">${clock(v.seconds)}</dd>`)}</dl>
    </section>`}`
}
