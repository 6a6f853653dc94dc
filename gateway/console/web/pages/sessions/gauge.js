import { html } from '../../html.js'
import { count } from '../../lib/format.js'

const mostTicks = 48 // above that it is a bar

/** How many voices there are and could be: a tick for each. heard are those that speak in the sessions of the account. */
export function Gauge({ capacity, heard, limit }) {
  const speaking = Math.max(heard, Math.round(capacity.speaking)) // a moment may lie between the two answers
  const held = Math.max(0, Math.round(capacity.held) - (speaking - Math.round(capacity.speaking)))
  const room = capacity.room === null ? null : Math.floor(capacity.room)
  const total = speaking + held + (room ?? 0)
  const said = `${speaking} speaking, ${held} held for new sessions, ${room === null ? 'no bound known' : `${room} free`}`
  return html`<div class="gauge">
    ${total > 0 && (total <= mostTicks ? html`<${Ticks} speaking=${speaking} held=${held} room=${room ?? 0} said=${said} />` : html`<${Bar} speaking=${speaking} held=${held} total=${total} said=${said} />`)}
    <div class="legend">
      <span><s class="on"></s><b>${count(speaking)}</b> speaking</span>
      <span><s class="held"></s><b>${count(held)}</b> held for new sessions</span>
      <span>${room === null ? 'no bound on voices' : html`<s></s>room for <b>${count(room)}</b> more voices`}</span>
      ${limit && html`<span class="of wide"><b>${count(capacity.sessions.here)}</b> ${capacity.sessions.here === 1 ? 'session' : 'sessions'} of at most ${count(limit)}</span>`}
    </div>
  </div>`
}

function Ticks({ speaking, held, room, said }) {
  const kinds = [...Array(speaking).fill('on'), ...Array(held).fill('held'), ...Array(room).fill('')]
  return html`<div class="ticks" role="img" aria-label=${said}>${kinds.map((kind, n) => html`<i key=${n} class=${kind}></i>`)}</div>`
}

function Bar({ speaking, held, total, said }) {
  return html`<div class="voices-bar" role="img" aria-label=${said}>
    <i class="on" style=${{ width: `${(speaking / total) * 100}%` }}></i><i class="held" style=${{ width: `${(held / total) * 100}%` }}></i>
  </div>`
}
