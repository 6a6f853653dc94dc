import './load.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Command } from '../../components/copy.js'
import { Empty } from '../../components/empty.js'
import { Icon } from '../../components/icon.js'
import { Notice } from '../../components/notice.js'
import { html } from '../../html.js'
import { base } from '../../lib/api.js'
import { cell, useCell } from '../../lib/cell.js'
import { clock, count, day, length, timeOfDay } from '../../lib/format.js'
import { Comparison } from './compare.js'
import { Plot } from './plot.js'
import { delay, facts, fairness, headline, ms, promised, promiseOf, proof, quantileOf, readReport, runMeasures, trialsOf } from './report.js'

/** The report that is shown, with its file's name, and another that it is compared with; they stay while other pages are looked at, and are never sent anywhere. */
const shown = cell(null)
const beside = cell(null)

/** The page of #/load: a report of the load generator. */
export function Load() {
  const opened = useCell(shown)
  const other = useCell(beside)
  const [problem, setProblem] = useState('')
  const [over, setOver] = useState(false)
  const input = useRef(null)
  const target = useRef(shown) // of the file that is chosen
  const open = async (file) => {
    if (!file) return
    try {
      target.current.set({ name: file.name, report: await readReport(file) })
      if (target.current === shown) beside.set(null)
      setProblem('')
      scrollTo(0, 0)
    } catch (error) {
      setProblem(error.message)
    }
  }
  const picked = (e) => {
    open(e.target.files[0])
    e.target.value = ''
  }
  useDrop((file) => {
    target.current = shown.get() ? beside : shown // what is dropped on a report is compared with it
    open(file)
  }, setOver)
  const choose = (cell) => () => {
    target.current = cell
    input.current.click()
  }
  const keep = (one) => {
    shown.set(one)
    beside.set(null)
  }
  return html`<main class=${`page load${over ? ' over' : ''}`} id="main" tabindex="-1">
    <input type="file" accept="application/json,.json" hidden ref=${input} aria-label="Report to open" onChange=${picked} />
    ${problem && html`<${Notice} kind="bad" box title="This cannot be shown.">${problem}<//>`}
    ${!opened && html`<${None} onOpen=${choose(shown)} />`} ${opened && !other && html`<${Report} ...${opened} onOpen=${choose(shown)} onCompare=${choose(beside)} />`}
    ${opened && other && html`<${Comparison} one=${opened} other=${other} onEnd=${keep} />`}
  </main>`
}

/** Takes files that are dropped anywhere on the page. */
function useDrop(open, setOver) {
  useEffect(() => {
    const over = (e) => {
      e.preventDefault()
      setOver(true)
    }
    const left = (e) => e.relatedTarget === null && setOver(false)
    const drop = (e) => {
      e.preventDefault()
      setOver(false)
      open(e.dataTransfer.files[0])
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', left)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', left)
      removeEventListener('drop', drop)
    }
  }, [])
}

function None({ onOpen }) {
  const command = `loadtest --url ${base.replace(/\/$/, '')} \\\n  --key $KEY --audio talks/ \\\n  --find-capacity --slo final_p95=800ms \\\n  --json report.json`
  return html`<${Empty} page title="How many people can this machine follow?" actions=${html`<button type="button" class="button primary" onClick=${onOpen}><${Icon} name="file" />Open a report</button>`}>
      Let it find out. The tool adds sessions until finals come later than you promise, then goes back to the last number that held. It takes about 20
      minutes; open the file it writes here, or drop it on this page. It never leaves your browser.
    <//>
    <div class="narrow-text"><${Command} text=${command} /></div>`
}

function Report({ name, report, onOpen, onCompare }) {
  const [before, figure, after] = headline(report)
  const trials = trialsOf(report)
  return html`<div class="report-bar">
      <span>${name}</span><span class="dim">·</span><span>${day(report.started)}, ${timeOfDay(report.started)}, ${length(report.capacity?.wall_seconds ?? report.wall_seconds)}</span>
      <span class="grow"></span>
      <button type="button" class="button small" onClick=${onCompare}>Compare</button>
      <button type="button" class="button small" onClick=${onOpen}><${Icon} name="file" />Open another</button>
      <button type="button" class="button small quiet" onClick=${() => shown.set(null)}>Close</button>
    </div>
    <h1 class="verdict">${before}${figure && html`<em>${figure}</em>`}${after}</h1>
    <p class="lede">${proof(report).map((p) => (p.b ? html`<b>${p.b}</b>` : p))}</p>
    ${trials.length > 1 ? html`<${CapacityPlot} report=${report} trials=${trials} />` : html`<${TimePlot} report=${report} />`}
    <${Percentiles} report=${report} trials=${trials} />
    ${trials.length > 1 && report.series?.length > 1 && html`<div class="section"><h2>While it was confirmed</h2></div><${TimePlot} report=${report} small />`}
    <div class="columns">
      <section>
        <div class="section"><h2>Was it a fair test?</h2></div>
        <p class="mid fair">${fairness(report)}</p>
      </section>
      <section>
        <div class="section"><h2>What was tested</h2></div>
        <dl class="facts-list">${facts(report).map(([k, v]) => html`<dt>${k}</dt><dd class=${k === 'Promise' || k === 'Server' ? 'mono label' : ''}>${v}</dd>`)}</dl>
      </section>
    </div>`
}

function CapacityPlot({ report, trials }) {
  const q = quantileOf(report)
  const limit = promiseOf(report)
  const carried = report.capacity.sessions
  const values = (measure) => trials.map((t) => (t[measure].count > 0 ? t[measure][q] : null))
  const finals = values('final')
  const most = limit ? Math.max(limit.limit * 2, ...finals.filter((v, i) => v !== null && trials[i].kept).map((v) => v * 1.2)) : undefined
  const lines = [
    { name: 'final', ink: 'accent', values: finals, width: 2.5 },
    { name: 'partial', ink: 'text-2', values: values('partial') },
    { name: 'ack', ink: 'text-3', values: values('ack') },
  ].filter((l) => l.values.some((v) => v !== null))
  const missed = trials.find((t) => !t.kept && t.sessions > carried)
  const label = `${q} delay against sessions: ${carried > 0 ? `what was promised holds up to ${carried} sessions` : 'what was promised does not hold'}${missed ? ` and is missed at ${missed.sessions}` : ''}.`
  return html`<figure class="plot">
    <${Plot}
      report=${report}
      x=${trials.map((t) => t.sessions)}
      lines=${lines}
      label=${label}
      points
      most=${most}
      limit=${limit?.limit}
      limitText=${limit && promised(limit)}
      beyond=${carried > 0 && report.capacity.limit ? carried : undefined}
      beyondText=${carried > 0 && report.capacity.limit ? `${carried} sessions` : ''}
      xText="sessions, each speaking without a pause"
    />
    <figcaption>
      Delay (${q}), from the end of speech (finals), of a word (partials) or of sending (acks). ${report.capacity.limit > 0 && 'Hatched: beyond what was promised.'}
    </figcaption>
  </figure>`
}

function TimePlot({ report, small = false }) {
  const series = report.series ?? []
  if (series.length < 2) return null
  const limit = promiseOf(report)
  const lines = [
    { name: 'final', ink: 'accent', values: series.map((p) => p.final_p95 || null), width: 2.5 },
    { name: 'partial', ink: 'text-2', values: series.map((p) => p.partial_p95 || null) },
    { name: 'ack', ink: 'text-3', values: series.map((p) => p.ack_p95 || null) },
  ].filter((l) => l.values.some((v) => v !== null))
  const worst = Math.max(...series.map((p) => p.final_p95))
  return html`<figure class="plot">
    <${Plot}
      report=${report}
      x=${series.map((p) => p.at)}
      lines=${lines}
      height=${small ? 260 : 380}
      label=${`Delays over the run, p95 of each interval: finals took ${delay(worst)} at most.`}
      xValue=${(v) => clock(v)}
      limit=${limit?.quantile === 'p95' ? limit.limit : undefined}
      limitText=${limit && promised(limit)}
      xText="since the beginning"
    />
    <figcaption>Delay of 95 in 100 in each interval, from the end of speech (finals), of a word (partials) or of sending (acks).</figcaption>
  </figure>`
}

const shownQuantiles = ['p50', 'p95', 'p99']

/** A row for each number of sessions, or for each measure of a single run. */
function Percentiles({ report, trials }) {
  return html`<div class="section"><h2>Percentiles</h2><span class="dim second">milliseconds</span></div>
    <div class="table-box" tabindex="0" role="region" aria-label="Percentiles">${trials.length > 1 ? html`<${TrialTable} report=${report} trials=${trials} />` : html`<${RunTable} report=${report} />`}</div>`
}

function TrialTable({ report, trials }) {
  const measures = ['ack', 'partial', 'final'].filter((m) => trials.some((t) => t[m].count > 0))
  const heads = { ack: 'Ack', partial: 'Partial', final: 'Final' }
  return html`<table>
    <thead>
      <tr>
        <th class="right">Sessions</th>
        ${measures.map((m) => shownQuantiles.map((q, n) => html`<th class="right">${n === 0 ? `${heads[m]} ${q}` : q}</th>`))}
        <th class="right">Server</th>
        <th class="right">Generator</th>
        <th>Promise</th>
      </tr>
    </thead>
    <tbody>
      ${trials.map(
        (t) => html`<tr key=${t.sessions}>
          <td class="num right">${count(t.sessions)}</td>
          ${measures.map((m) => shownQuantiles.map((q) => html`<td class="num right">${t[m].count > 0 ? ms(t[m][q]) : '–'}</td>`))}
          <td class="num right">${t.server ? t.server.processor.toFixed(2) : '–'}</td>
          <td class="num right">${Math.round(t.generator.used * 100)} %</td>
          <td><${Kept} trial=${t} carried=${report.capacity.sessions} /></td>
        </tr>`,
      )}
    </tbody>
  </table>`
}

function Kept({ trial: t, carried }) {
  if (!t.kept) return html`<span class="danger-text" title=${t.why}>missed</span>`
  if (t.sessions !== carried) return html`<span class="dim">kept</span>`
  return html`<b class="kept">kept, confirmed ${Math.round(t.seconds)} s</b>`
}

function RunTable({ report }) {
  const quantiles = ['p50', 'p90', 'p95', 'p99', 'p999', 'max']
  return html`<table>
    <thead>
      <tr><th>Delay</th><th class="right">Count</th>${quantiles.map((q) => html`<th class="right">${q}</th>`)}</tr>
    </thead>
    <tbody>
      ${runMeasures
        .filter(([m]) => report.delays[m]?.count > 0)
        .map(
          ([m, name]) => html`<tr key=${m}>
            <td>${name}</td>
            <td class="num right">${count(report.delays[m].count)}</td>
            ${quantiles.map((q) => html`<td class="num right">${ms(report.delays[m][q])}</td>`)}
          </tr>`,
        )}
    </tbody>
  </table>`
}
