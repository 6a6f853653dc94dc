import { html } from '../../html.js'
import { count, length, several } from '../../lib/format.js'

const seconds = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/** Which sessions were refused, and why. */
export function Refused({ refused }) {
  return html`<section>
    <div class="section"><h2>Refused in the last hour</h2><span class="dim second">${refused.length > 0 ? count(refused.length) : 'none'}</span></div>
    ${refused.length > 0 &&
    html`<div class="table-box" tabindex="0" role="region" aria-label="Refused in the last hour">
      <table>
        <thead>
          <tr><th>When</th><th>Why</th><th>Key</th><th class="right">Wait</th></tr>
        </thead>
        <tbody>
          ${refused.slice(0, 8).map(
            (r) => html`<tr key=${r.at}>
              <td class="num">${seconds.format(new Date(r.at))}</td>
              <td class="why" title=${r.message}><span class="num">${r.status}</span> ${r.status === 429 ? 'limit of the key' : 'no room'}</td>
              <td>${r.key || html`<span class="dim">unnamed</span>`}</td>
              <td class="num right">${r.retry_after ? length(Math.ceil(r.retry_after)) : '–'}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`}
  </section>`
}

const degraded = { nothing: '', recordings: 'recordings pause', partials: 'partials are thinned out', sessions: 'new sessions are refused' }

/** The gateways that share the store, and the engines of this one. */
export function Machines({ nodes, capacity }) {
  const many = nodes && nodes.items.length > 0
  return html`<section>
    <div class="section">
      <h2>Machines</h2>
      <span class="dim second">${many ? several(nodes.items.length, 'gateway') : 'this one'}${nodes && `, the store answers in ${(nodes.store.answer * 1000).toFixed(1)} ms`}</span>
    </div>
    <div class="table-box" tabindex="0" role="region" aria-label="Machines">
      <table>
        <thead>
          <tr><th>Node</th><th class="right">Sessions</th><th>Lease</th></tr>
        </thead>
        <tbody>
          ${(many ? nodes.items : [{ name: 'this gateway', here: true }]).map(
            (n) => html`<tr key=${n.name}>
              <td>${n.name.split('/')[0]} ${n.here && many && html`<span class="dim">(this)</span>`}</td>
              <td class="num right">${n.here ? count(capacity.sessions.here) : nodes.items.length === 2 ? count(capacity.sessions.elsewhere) : '–'}</td>
              <td class="num">${n.until ? `${Math.max(0, Math.round((new Date(n.until) - Date.now()) / 1000))} s` : '–'}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${capacity.engines.length > 0 &&
    html`<div class="table-box" tabindex="0" role="region" aria-label="Engines">
      <table>
        <thead>
          <tr><th>Engine</th><th class="right">Carries</th><th class="right">Free</th><th class="right">Load</th><th class="right">A voice</th></tr>
        </thead>
        <tbody>
          ${capacity.engines.map(
            (e) => html`<tr key=${e.name}>
              <td>${e.name} <span class="dim">${degraded[e.degraded]}</span></td>
              <td class="num right">${e.capacity === null ? '–' : Math.floor(e.capacity)}</td>
              <td class="num right">${e.room === null ? '–' : Math.floor(e.room)}</td>
              <td class="num right">${Math.round(e.load * 100)} %</td>
              <td class="num right">${e.final_cost.toFixed(2)}×</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`}
  </section>`
}
