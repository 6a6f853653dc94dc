import { useState } from 'preact/hooks'
import { html } from '../../html.js'
import { api } from '../../lib/api.js'
import { clock, count, quantile, several } from '../../lib/format.js'
import { usePoll } from '../../lib/poll.js'

/** The stages of a final on its way through the gateway, and what happens in each. */
const stages = [
  ['received', 'Received', 'until the recognizer had the audio'],
  ['endpointed', 'Endpointed', 'until the silence was long enough'],
  ['queued', 'Queued', 'until an engine had time'],
  ['decoded', 'Decoded', 'until the engine had the words'],
  ['sent', 'Sent', 'until they were safe and on their way'],
]
const shown = 20
const ms = (seconds) => (seconds < 0.00995 ? (seconds * 1000).toFixed(1) : count(Math.round(seconds * 1000)))
const total = (d) => stages.reduce((sum, [name]) => sum + (d[name] ?? 0), 0)

/** Where the time went between the end of each utterance and its final. */
export function Delays({ path, conversation, ends, ended }) {
  const [answer, setAnswer] = useState(null)
  usePoll(
    async (signal) => {
      const told = await api(`${path}/delays`, { signal }).catch(() => null)
      if (told) setAnswer(told)
    },
    ended ? 30 : 2,
    [path, ended],
  )
  const staged = answer?.here && answer.items.length > 0
  return html`<div class="panel-body"><div class="options delays-panel">
    ${staged ? html`<${Stages} items=${answer.items} conversation=${conversation} />` : html`<${FromMessages} finals=${ends.finals} conversation=${conversation} known=${answer !== null} />`}
  </div></div>`
}

/** How late finals are, in a sentence; the children say from when on. */
function Late({ seconds, children }) {
  const within = (part) => html`<b class="num">${ms(quantile(seconds, part))} ms</b>`
  return html`<p class="mid">Of the last ${several(seconds.length, 'final')}, half came within ${within(0.5)} and nineteen of twenty within ${within(0.95)} of ${children}</p>`
}

function Stages({ items, conversation }) {
  const longest = Math.max(...items.slice(0, shown).map(total))
  return html`<${Late} seconds=${items.map(total)}>the last sound of the utterance.<//>
    <table class="stages">
      <thead><tr><th>Milliseconds</th><th class="right">p50</th><th class="right">p95</th></tr></thead>
      <tbody>
        ${stages.map(([name, label, what]) => {
          const all = items.map((d) => d[name]).filter((s) => s !== null)
          return html`<tr key=${name}>
            <td><s class=${`stage-of ${name}`}></s>${label}<small>${what}</small></td>
            <td class="num right">${all.length > 0 ? ms(quantile(all, 0.5)) : '–'}</td>
            <td class="num right">${all.length > 0 ? ms(quantile(all, 0.95)) : '–'}</td>
          </tr>`
        })}
      </tbody>
    </table>
    <h2>The newest</h2>
    <ol class="final-delays">
      ${items.slice(0, shown).map(
        (d) => html`<${Final} key=${d.utterance_id} id=${d.utterance_id} seconds=${total(d)} conversation=${conversation}>
          <span class="stage-bars" role="img" aria-label=${stages.map(([name, label]) => `${label} ${ms(d[name] ?? 0)} ms`).join(', ')}>
            ${stages.map(([name]) => html`<i key=${name} class=${`stage-of ${name}`} style=${{ width: `${((d[name] ?? 0) / longest) * 100}%` }}></i>`)}
          </span>
        <//>`,
      )}
    </ol>`
}

/** What the times of the messages tell, where the stages are not known here. */
function FromMessages({ finals, conversation, known }) {
  if (finals.length === 0) return html`<p class="mid">${known ? 'No final has come since this page follows the session.' : ''}</p>`
  const longest = Math.max(...finals.map((f) => f.seconds), 0.001)
  return html`<${Late} seconds=${finals.map((f) => f.seconds)}>the end of speech. The stages are known on the machine that has the session.<//>
    <h2>The newest</h2>
    <ol class="final-delays">
      ${finals
        .slice(-shown)
        .reverse()
        .map(
          (f) => html`<${Final} key=${f.id} id=${f.id} seconds=${f.seconds} conversation=${conversation}>
            <span class="stage-bars"><i class="stage-of decoded" style=${{ width: `${(f.seconds / longest) * 100}%` }}></i></span>
          <//>`,
        )}
    </ol>`
}

function Final({ id, seconds, conversation, children }) {
  const utterance = conversation.items.findLast((i) => i.id === id)?.utterance
  return html`<li>
    <time>${utterance ? clock(utterance.start) : '–'}</time><span class="words">${utterance?.text.trim() ?? ''}</span><span class="num">${ms(seconds)}<small>ms</small></span>${children}
  </li>`
}
