import { useState } from 'preact/hooks'
import { Icon } from '../../components/icon.js'
import { html } from '../../html.js'
import { api } from '../../lib/api.js'
import { count, day, length, several, timeOfDay } from '../../lib/format.js'
import { usePoll } from '../../lib/poll.js'

const shownAtOnce = 12
const short = (event) => event.replace(/^live\./, '')
const when = (stamp) => (day(stamp) === 'today' ? timeOfDay(stamp) : `${day(stamp)}, ${timeOfDay(stamp)}`)

/** What became of the callbacks of a job, the newest first. */
export function Callbacks({ path, asked }) {
  const [list, setList] = useState(null)
  const [problem, setProblem] = useState('')
  const [all, setAll] = useState(false)
  const load = (signal) =>
    api(`${path}/callbacks`, { signal }).then(
      ({ items }) => {
        setList(items)
        setProblem('')
      },
      (p) => p.name !== 'AbortError' && setProblem(p.message),
    )
  usePoll(load, 5, [path])
  if (problem && !list) return html`<section><p class="mid">The log of the callbacks does not come: ${problem}.</p></section>`
  if (!list) return null
  if (list.length === 0) {
    return html`<section>
      <p class="mid">${asked ? 'All callbacks have arrived. Those that have are forgotten after a while.' : 'No callbacks were asked for. With callback_config in the request each message, or the result, is sent to an address.'}</p>
    </section>`
  }
  const again = (d) => api(`${path}/callbacks/${d.id}/redeliver`, { method: 'POST' }).then(() => load(), (p) => setProblem(p.message))
  const shown = all ? list : list.slice(0, shownAtOnce)
  return html`<section>
    <p class="mid">To <span class="mono label">${list[0].url}</span>, in order: what comes after waits for what is before.</p>
    <p class="tally">${tally(list)}</p>
    ${problem && html`<p class="danger-text second">${problem}</p>`}
    <ol>${shown.map((d, n) => html`<${Delivery} key=${d.id} delivery=${d} before=${nextPending(list, n)} onAgain=${() => again(d)} />`)}</ol>
    ${list.length > shown.length && html`<button type="button" class="button quiet small" onClick=${() => setAll(true)}>All ${count(list.length)}</button>`}
  </section>`
}

function tally(list) {
  const by = (state) => list.filter((d) => d.state === state).length
  const waiting = by('pending')
  const tried = list.findLast((d) => d.state === 'pending')?.attempts > 0
  const behind = tried && (waiting > 1 ? `1 being tried, ${count(waiting - 1)} behind it` : '1 being tried')
  const parts = [by('sent') > 0 && `${count(by('sent'))} delivered`, waiting > 0 && (behind || `${count(waiting)} waiting`), by('dead') > 0 && `${count(by('dead'))} given up`]
  return parts.filter(Boolean).join(', ') + '.'
}

/** The delivery that one waits for: the pending one right before it. */
const nextPending = (list, n) => list.slice(n + 1).find((d) => d.state === 'pending')

function Delivery({ delivery: d, before, onAgain }) {
  if (d.state === 'sent') {
    const times = d.attempts === 1 ? 'once' : `after ${several(d.attempts, 'attempt')}${d.failure ? `; before, ${d.failure}` : ''}`
    return html`<${Row} icon="check" event=${d.event} said="delivered">${when(d.created_at)}, ${times}<//>`
  }
  if (d.state === 'dead') {
    return html`<${Row} icon="warning" kind="bad" event=${d.event} said=${d.status || 'given up'}>
      Given up after ${several(d.attempts, 'attempt')}: ${d.failure || 'no answer'}.<br />webhook-id <span class="mono">${d.id}</span>
      <${AtOnce} onAgain=${onAgain} />
    <//>`
  }
  if (d.attempts === 0 || before) {
    return html`<${Row} icon="more" event=${d.event} said="waits">${before ? `behind ${short(before.event)}` : 'goes out next'}<//>`
  }
  return html`<${Row} icon="warning" kind="wait" event=${d.event} said=${d.status || 'no answer'}>
    ${several(d.attempts, 'attempt')} since ${when(d.first_attempt_at)}: ${d.failure || 'no answer'}. ${schedule(d)}<br />webhook-id <span class="mono">${d.id}</span>
    ${d.next_attempt_at && html`<${AtOnce} onAgain=${onAgain} />`}
  <//>`
}

/** When a delivery is tried next, and for the last time. */
function schedule({ next_attempt_at: next, last_attempt_at: last }) {
  if (!next) return 'It is on its way now.'
  const left = (new Date(next) - Date.now()) / 1000
  return `${left < 1 ? 'It goes out now' : `Next in ${length(Math.round(left))}`}, the last ${until(last)}.`
}

/** A time that is ahead: "at 14:03", "tomorrow at 09:55". */
function until(stamp) {
  const time = timeOfDay(stamp)
  const is = day(stamp)
  return is === 'today' ? `at ${time}` : `${is} at ${time}`
}

const AtOnce = ({ onAgain }) => html`<button type="button" class="button small" onClick=${onAgain}><${Icon} name="again" />Deliver now</button>`

function Row({ icon, kind = '', event, said, children }) {
  return html`<li class=${`delivery ${kind}`}>
    <${Icon} name=${icon} /><span class="mono label">${event}</span><span class="num">${said}</span><small>${children}</small>
  </li>`
}
