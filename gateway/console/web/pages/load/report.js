// Reads reports of the load generator, the JSON that `loadtest --json` writes, and puts them into words.
import { count, length, listed } from '../../lib/format.js'

const format = 1 // the version of the reports that this page knows
const largest = 64e6 // bytes

/** A delay in words: 0.641 → "641 ms", 1.31 → "1.31 s". */
export const delay = (s) => (s < 1 ? `${Math.round(s * 1000)} ms` : `${Number(s.toPrecision(3))} s`)
/** Milliseconds for a table. */
export const ms = (s) => count(Math.round(s * 1000))

/** Reads a report from a file. Errors say what is wrong with it. */
export async function readReport(file) {
  if (file.size > largest) throw new Error(`${file.name} is larger than 64 MB, so it is no report.`)
  let report
  try {
    report = JSON.parse(await file.text())
  } catch {
    throw new Error(`${file.name} is no JSON. Open the file that loadtest wrote with --json.`)
  }
  if (typeof report !== 'object' || report === null || !report.delays?.final || !report.load) throw new Error(`${file.name} is JSON, but no report of loadtest.`)
  if (report.format > format) throw new Error(`${file.name} was written by a newer loadtest than this page knows.`)
  return report
}

/** One trial for each number of sessions, the longest one, by rising number. */
export function trialsOf(report) {
  const best = new Map()
  for (const t of report.capacity?.trials ?? []) {
    if (t.kind !== 'warm-up' && !(best.get(t.sessions)?.seconds > t.seconds)) best.set(t.sessions, t)
  }
  return [...best.values()].sort((a, b) => a.sessions - b.sessions)
}

const measures = { ack: 'acks', partial: 'partials', final: 'finals' }

/** What was promised of a delay: { measure, quantile, limit }; null: nothing. That of finals comes first. */
export function promiseOf(report) {
  const of = (report.objectives ?? []).filter((o) => o.measure in measures && o.quantile)
  return of.find((o) => o.measure === 'final') ?? of[0] ?? null
}

export const promised = (p) => `promised: ${measures[p.measure]} within ${delay(p.limit)}`

/** The quantile that is shown: that of the promise, else p95. */
export const quantileOf = (report) => promiseOf(report)?.quantile ?? 'p95'
export const share = { p50: 'one of two', p90: 'nine of ten', p95: 'nineteen of twenty', p99: '99 of 100', p999: '999 of 1,000', max: 'all' }

/** The measures of a run that are shown, and what they are called. */
export const runMeasures = [
  ['ack', 'Ack'],
  ['first_partial', 'First partial'],
  ['partial', 'Partial'],
  ['final', 'Final'],
  ['final_after_speech_end', 'Final after speech_end'],
  ['final_of_cut', 'Final of a cut utterance'],
  ['subscriber', 'Final at a subscriber'],
  ['create', 'Create'],
  ['connect', 'Connect'],
  ['sender_lag', 'Generator late by'],
]

/** The report in a sentence: [before, figure, after]. */
export function headline(report) {
  const c = report.capacity
  if (c?.unknown) return ['This report cannot say what the server carries.']
  if (c && c.sessions === 0) return ['This server does not carry even one speaker as promised.']
  if (c) return ['This server carries ', (c.limit ? '' : 'at least ') + count(c.sessions), ' people speaking at once.']
  if (report.generator.saturated) return ['This report cannot say how fast the server is.']
  return ['', count(report.sessions), ` people spoke at once for ${length(report.wall_seconds)}.`]
}

/** What proves it: parts of a text, figures as { b }. */
export function proof(report) {
  const c = report.capacity
  if (c?.unknown) return [`The search ended without an outcome: ${c.unknown}. Run the generator on another machine, or on more cores.`]
  if (!c && report.generator.saturated) return [`The generator itself was too slow: ${report.generator.saturated}. Run it on another machine, or on more cores.`]
  const q = quantileOf(report)
  const final = report.delays.final
  const limit = promiseOf(report)
  const parts = [`At ${count(report.sessions)}, ${share[q] ?? 'nineteen of twenty'} finals came within `, { b: delay(final[q] ?? final.p95) }]
  if (limit?.measure === 'final') parts.push(`; promised were ${delay(limit.limit)}`)
  parts.push('. ')
  const beyond = c?.limit ? trialsOf(report).find((t) => t.sessions === c.limit) : null
  if (beyond) parts.push(`At ${count(beyond.sessions)} they took `, { b: delay(beyond.final[q]) }, '. ')
  if (c?.sessions > 0) parts.push('If half of each call is silence, expect about ', { b: `${count(c.sessions * 2)} calls` }, '.')
  return parts
}

/** Whether it was a fair test. */
export function fairness(report) {
  const g = report.generator
  const said = g.saturated
    ? [`No. The generator was too slow: ${g.saturated}.`]
    : [`Yes. The frames of the generator went out at most ${(g.lag_p99 * 1000).toFixed(1)} ms late (p99), and it used ${Math.round(g.used * 100)} % of ${count(g.processors)} processors.`]
  if (report.server) said.push('It shared the machine with the server.')
  const errors = Object.values(report.errors ?? {}).reduce((a, b) => a + b, 0) + report.failed + report.missing + report.differing
  if (errors + report.gaps + report.reconnects + report.repeats === 0) said.push('No gap, no error, nothing sent twice.')
  else said.push(`${count(errors)} errors, ${count(report.gaps)} gaps in acks, ${count(report.reconnects)} reconnections, ${count(report.repeats)} finals repeated.`)
  if (report.words) said.push(`Word error rate: ${(report.words.rate * 100).toFixed(1)} %.`)
  return said.join(' ')
}

/** What was tested, as names and values. */
export function facts(report) {
  const l = report.load
  const promises = (report.objectives ?? []).map((o) => (o.quantile ? `${o.measure}_${o.quantile}=${Math.round(o.limit * 1000)}ms` : `${o.measure}=${o.limit}`))
  return [
    ['Server', l.url],
    ['Audio', `${count(l.recordings)} ${l.recordings === 1 ? 'recording' : 'recordings'}, ${l.audio}, frames of ${Math.round(report.chunk_seconds * 1000)} ms`],
    ['Sessions', `${count(report.done)} done, ${count(report.failed)} failed, ${length(report.audio_seconds)} of audio`],
    ['Transcripts', `${count(report.finals)} finals, ${count(report.partials)} partials`],
    ['Server used', report.server && `${report.server.processor.toFixed(2)} processors, ${Math.round(report.server.memory / 1048576)} MiB at most`],
    ['Pauses added', l.silence > 0 && `${Math.round(l.silence * 100)} % of the time`],
    ['Jitter', l.jitter_seconds > 0 && `up to ${delay(l.jitter_seconds)}`],
    ['Connections cut', l.drop_every_seconds > 0 && `every ${delay(l.drop_every_seconds)} each, ${count(report.dropped)} in all`],
    ['Errors', Object.keys(report.errors ?? {}).length > 0 && listed(Object.entries(report.errors).map(([k, n]) => `${k} ${count(n)}`))],
    ['Promise', promises.join(', ')],
    ['Seed', String(l.seed)],
  ].filter(([, v]) => v)
}

