import { useEffect, useState } from 'preact/hooks'
import { Command } from '../../components/copy.js'
import { Empty } from '../../components/empty.js'
import { Icon } from '../../components/icon.js'
import { Notice } from '../../components/notice.js'
import { html } from '../../html.js'
import { api, base } from '../../lib/api.js'
import { useCell } from '../../lib/cell.js'
import { defaultTrouble, engineName } from '../../lib/engines.js'
import { several } from '../../lib/format.js'
import { usePoll } from '../../lib/poll.js'
import { may } from '../../lib/sign-in.js'
import { models, runningSessions } from '../../lib/status.js'
import { Gauge } from './gauge.js'
import { SessionRow } from './session-row.js'
import { Machines, Refused } from './tables.js'

const numbers = ['Nobody', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve']
const inWords = (n) => numbers[n] ?? String(n)

/** The running sessions with their levels and last words, and what the server carries, which only keys with the scope admin are told. */
export function Board() {
  const [now, setNow] = useState(null)
  const [problem, setProblem] = useState(null)
  const [filter, setFilter] = useState('all')
  usePoll(async (signal) => {
    try {
      const [sessions, capacity, nodes] = await Promise.all([
        api('v2/sessions', { signal }),
        api('v2/capacity', { signal }),
        may('admin') ? api('v2/nodes', { signal }) : null,
      ])
      runningSessions.set(sessions.items.length)
      setNow({ sessions, capacity, nodes })
      setProblem(null)
    } catch (p) {
      if (p.name !== 'AbortError') setProblem(p)
    }
  }, 1)
  if (!now) return html`<main class="page" id="main" tabindex="-1">${problem && html`<${Empty} page title="The sessions do not come.">${problem.message}. Those that run are not touched by that.<//>`}</main>`
  return html`<${Bars} problem=${problem} capacity=${now.capacity} />
    <main class="page" id="main" tabindex="-1"><${Running} ...${now} filter=${filter} onFilter=${setFilter} /></main>`
}

/** One bar at a time: no answer, no room, degraded. */
function Bars({ problem, capacity }) {
  const engine = defaultTrouble(useCell(models))
  if (problem) return html`<${Notice} kind="warn" icon="unplugged" title="steno does not answer.">What is shown is from before. This page tries every second.<//>`
  if (capacity.room === 0 || (capacity.room !== null && capacity.room < 1)) {
    return html`<${Notice} kind="warn" title="Full.">New sessions are refused with 503 until somebody stops speaking. Those that run are not touched.<//>`
  }
  if (engine?.is === 'none') return html`<${Notice} kind="bad" icon="unplugged" title="No engine answers at the moment.">Audio is kept, words come late. New sessions are refused.<//>`
  if (engine) return html`<${Notice} kind="warn" icon="unplugged" title=${`Engine ${engine.away} is away.`}>${engineName(engine.by)} stands in, so expect more wrong words.<//>`
  const thin = capacity.engines.find((e) => e.degraded === 'partials' || e.degraded === 'sessions')
  if (thin) return html`<${Notice} kind="warn" title=${`${thin.name} is busy.`}>Partials are thinned out, so that finals come in time. No words are lost.<//>`
  return null
}

function Running({ sessions, capacity, nodes, filter, onFilter }) {
  const { items } = sessions
  const speaking = items.filter((s) => s.speaking)
  const troubled = items.filter((s) => s.state === 'lost')
  if (items.length === 0) return html`<${NothingRuns} capacity=${capacity} nodes=${nodes} />`
  const shown = { all: items, speaking, trouble: troubled }[filter]
  const chips = [
    ['all', 'All'],
    ['speaking', 'Speaking'],
    ['trouble', 'In trouble'],
  ]
  return html`<h1 class="head">${headline(speaking.length, items.length, capacity, sessions.more)}</h1>
    ${capacity.sessions && html`<${Gauge} capacity=${capacity} heard=${speaking.length} limit=${nodes?.sessions.limit} />`}
    <div class="section">
      <h2>Running now</h2>
      <span class="dim second grow wide">Newest words first</span>
      <span class="row wide" role="group" aria-label="Which sessions">
        ${chips.map(([value, label]) => html`<button key=${value} type="button" class="chip" aria-pressed=${filter === value} onClick=${() => onFilter(value)}>${label}</button>`)}
      </span>
    </div>
    <div class="board">${byWords(shown).map((s) => html`<${SessionRow} key=${s.id} session=${s} />`)}</div>
    ${shown.length === 0 && html`<p class="mid none-shown">${filter === 'speaking' ? 'Nobody is speaking right now.' : 'All is well: no client is lost.'}</p>`}
    ${sessions.more && html`<p class="dim second none-shown">These are the newest hundred.</p>`}
    <div class="columns"><${Refused} refused=${capacity.refused} />${capacity.sessions && html`<${Machines} nodes=${nodes} capacity=${capacity} />`}</div>`
}

/** Those that speak first, then by how long they have been silent. */
const byWords = (items) => [...items].sort((a, b) => order(a) - order(b) || a.age - b.age)
const order = (s) => (s.speaking ? 0 : s.state === 'lost' ? 1e6 : s.quiet === null ? 2e6 : s.quiet)

function headline(speaking, running, capacity, more) {
  const people = speaking === 0 ? 'Nobody is speaking' : `${inWords(speaking)} ${speaking === 1 ? 'person is' : 'people are'} speaking`
  if (capacity.room !== null && capacity.room < 1) return `${people}. There is no room for more.`
  const sessions = more ? 'more than a hundred sessions' : running === 1 ? 'one session' : `${inWords(running).toLowerCase()} sessions`
  return `${people} in ${sessions}.`
}

function NothingRuns({ capacity, nodes }) {
  const room = capacity.room === null ? '' : `There is room for ${several(Math.floor(capacity.room), 'voice')} at once. `
  const curl = `curl -X POST -H "x-service-key: $KEY" -d '{}' ${base}v2/live`
  useEffect(() => runningSessions.set(0), [])
  return html`<${Empty} page title="Nobody is speaking." actions=${html`<a class="button primary" href="#/talk"><${Icon} name="microphone" />Talk</a>`}>
      ${room}Sessions show up here when a client opens one, with their level and last words.
    <//>
    <div class="narrow-text"><${Command} text=${curl} /></div>
    ${(capacity.refused.length > 0 || nodes?.items.length > 1) && html`<div class="columns"><${Refused} refused=${capacity.refused} />${capacity.sessions && html`<${Machines} nodes=${nodes} capacity=${capacity} />`}</div>`}`
}
