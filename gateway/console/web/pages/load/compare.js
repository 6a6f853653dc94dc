import { Icon } from '../../components/icon.js'
import { Notice } from '../../components/notice.js'
import { html } from '../../html.js'
import { count, day, timeOfDay } from '../../lib/format.js'
import { bothFacts, change, changeText, inOrder, promiseOfEither, proof, sideBySide, unlike, verdict } from './comparison.js'
import { Plot } from './plot.js'
import { ms, promised, quantileOf, runMeasures } from './report.js'

/**
 * Two reports beside each other, the older one first.
 * @param {{ one: object, other: object, onEnd: (keep: object) => void }} props opened reports, { name, report }; onEnd is told which one is kept
 */
export function Comparison({ one, other, onEnd }) {
  const pair = inOrder(one, other)
  const [before, now] = [pair.before.report, pair.now.report]
  const [start, figure, end] = verdict(before, now)
  const rows = sideBySide(before, now)
  const alikeNot = unlike(before, now)
  return html`<div class="report-bar compared">
      <${Named} word="Before" opened=${pair.before} onEnd=${() => onEnd(pair.now)} /><${Named} word="Now" opened=${pair.now} onEnd=${() => onEnd(pair.before)} />
    </div>
    <h1 class="verdict">${start}${figure && html`<em>${figure}</em>`}${end}</h1>
    <p class="lede">${proof(before, now).map((p) => (p.b ? html`<b>${p.b}</b>` : p))}</p>
    ${alikeNot && html`<${Notice} kind="warn" box title="They were not tested alike.">${alikeNot}<//>`}
    ${rows.length > 1 && html`<${FinalsPlot} before=${before} now=${now} rows=${rows} pair=${one} />`}
    <div class="section"><h2>Percentiles</h2><span class="dim second">milliseconds, before and now</span></div>
    <div class="table-box" tabindex="0" role="region" aria-label="Percentiles">${rows.length > 1 ? html`<${TrialTable} rows=${rows} />` : html`<${RunTable} before=${before} now=${now} />`}</div>
    <div class="section"><h2>What was tested</h2></div>
    <div class="table-box" tabindex="0" role="region" aria-label="What was tested">
      <table class="both-facts">
        <thead><tr><th></th><th>Before</th><th>Now</th></tr></thead>
        <tbody>${bothFacts(before, now).map(([name, old, new_]) => html`<tr key=${name}><td class="mid">${name}</td><td>${old ?? '–'}</td><td class=${old === new_ ? 'dim' : ''}>${old === new_ ? 'the same' : (new_ ?? '–')}</td></tr>`)}</tbody>
      </table>
    </div>`
}

function Named({ word, opened: { name, report }, onEnd }) {
  return html`<span class="named"><b>${word}</b><span>${name}</span><span class="dim">${day(report.started)}, ${timeOfDay(report.started)}</span>
    <button type="button" class="button small quiet only" aria-label=${`Close ${name}`} onClick=${onEnd}><${Icon} name="close" /></button></span>`
}

function FinalsPlot({ before, now, rows, pair }) {
  const q = quantileOf(now)
  const limit = promiseOfEither(before, now)
  const values = (which) => rows.map((r) => (r[which]?.final.count > 0 ? r[which].final[q] : null))
  const kept = rows.flatMap((r) => [r.before, r.now]).filter((t) => t?.kept)
  const most = limit ? Math.max(limit.limit * 2, ...kept.map((t) => t.final[q] * 1.2)) : undefined
  const lines = [
    { name: 'now', ink: 'accent', values: values('now'), width: 2.5 },
    { name: 'before', ink: 'text-2', values: values('before') },
  ].filter((l) => l.values.some((v) => v !== null))
  return html`<figure class="plot">
    <${Plot}
      report=${pair}
      x=${rows.map((r) => r.sessions)}
      lines=${lines}
      label=${`${q} delay of finals against sessions, before and now.`}
      points
      most=${most}
      limit=${limit?.measure === 'final' ? limit.limit : undefined}
      limitText=${limit && promised(limit)}
      xText="sessions, each speaking without a pause"
    />
    <figcaption>Delay of finals (${q}), from the end of speech.</figcaption>
  </figure>`
}

/** The old value, the new one, and what has changed: later is marked. */
function Cells({ before, now }) {
  const c = change(before, now)
  const text = (v) => (v > 0 ? ms(v) : '–')
  return html`<td class="num right">${text(before)}</td><td class="num right">${text(now)}</td><td class=${`num right change${c > 0.1 ? ' later' : ''}`}>${changeText(c)}</td>`
}

const heads = (names) => html`<tr><th></th>${names.map((n) => html`<th class="right group" colspan="3" scope="colgroup">${n}</th>`)}</tr>`

function TrialTable({ rows }) {
  const columns = [
    ['Final p50', 'final', 'p50'],
    ['Final p95', 'final', 'p95'],
    ['Ack p99', 'ack', 'p99'],
  ]
  const of = (trial, measure, q) => (trial?.[measure].count > 0 ? trial[measure][q] : null)
  return html`<table>
    <thead>${heads(columns.map(([head]) => head))}</thead>
    <tbody>
      ${rows.map(
        (r) => html`<tr key=${r.sessions}>
          <td class="num">${count(r.sessions)}<span class="dim"> sessions</span></td>
          ${columns.map(([, measure, q]) => html`<${Cells} before=${of(r.before, measure, q)} now=${of(r.now, measure, q)} />`)}
        </tr>`,
      )}
    </tbody>
  </table>`
}

function RunTable({ before, now }) {
  const quantiles = ['p50', 'p95', 'p99']
  const there = (r, m) => r.delays[m]?.count > 0
  return html`<table>
    <thead>${heads(quantiles)}</thead>
    <tbody>
      ${runMeasures
        .filter(([m]) => there(before, m) || there(now, m))
        .map(
          ([m, name]) => html`<tr key=${m}>
            <td>${name}</td>
            ${quantiles.map((q) => html`<${Cells} before=${there(before, m) && before.delays[m][q]} now=${there(now, m) && now.delays[m][q]} />`)}
          </tr>`,
        )}
    </tbody>
  </table>`
}
