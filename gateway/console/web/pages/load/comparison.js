// Puts two reports of the load generator beside each other, in words and numbers.
import { count, listed } from '../../lib/format.js'
import { delay, facts, promiseOf, quantileOf, share, trialsOf } from './report.js'

const alike = 0.02 // of a delay: less is no difference

/** Two opened reports, { name, report }, by when they were begun. */
export const inOrder = (a, b) => (new Date(a.report.started) <= new Date(b.report.started) ? { before: a, now: b } : { before: b, now: a })

const isUnknown = (r) => Boolean(r.capacity?.unknown || r.generator.saturated)

/** By how much a delay has changed: 0.1 is a tenth more; null where one of them is not known. */
export const change = (before, now) => (before > 0 && now > 0 ? now / before - 1 : null)

/** A change for a table: "+12 %"; "as before" where it is nothing to speak of. */
export function changeText(c) {
  if (c === null) return '–'
  if (Math.abs(c) < alike) return 'as before'
  return `${c > 0 ? '+' : '−'}${count(Math.round(Math.abs(c) * 100))} %`
}

/** What has changed, in a sentence: [before, figure, after]. */
export function verdict(before, now) {
  if (isUnknown(before) || isUnknown(now)) return ['One of these reports cannot say what its server carries.']
  if (before.capacity && now.capacity) return carried(before.capacity.sessions, now.capacity.sessions)
  const q = quantileOf(now)
  const c = change(before.delays.final[q], now.delays.final[q])
  if (c === null) return ['One of these reports knows of no finals.']
  if (Math.abs(c) < alike) return ['Finals come as soon as before.']
  return ['Finals come ', `${count(Math.round(Math.abs(c) * 100))} % ${c < 0 ? 'sooner' : 'later'}`, ' than before.']
}

function carried(before, now) {
  if (now === before) return ['It carries ', count(now), ' people, as many as before.']
  return ['It carries ', count(now), ` people, ${count(Math.abs(now - before))} ${now > before ? 'more' : 'fewer'} than before.`]
}

/** What proves it: parts of a text, figures as { b }. */
export function proof(before, now) {
  const q = quantileOf(now)
  const common = inCommon(before, now)
  const both = common.findLast((c) => c.before.kept && c.now.kept) ?? common.at(-1)
  const [old, new_, at] = both ? [both.before.final[q], both.now.final[q], `With ${count(both.sessions)} people`] : [before.delays.final[q], now.delays.final[q], `With ${count(before.sessions)} people, then ${count(now.sessions)}`]
  if (!(old > 0 && new_ > 0)) return []
  return [`${at}, ${share[q]} finals came within `, { b: delay(old) }, ' before and within ', { b: delay(new_) }, ' now.']
}

/** The numbers of sessions that both were tried with: { sessions, before, now }, trials, by rising number. */
function inCommon(before, now) {
  const old = new Map(trialsOf(before).map((t) => [t.sessions, t]))
  return trialsOf(now)
    .filter((t) => old.has(t.sessions) && old.get(t.sessions).final.count > 0 && t.final.count > 0)
    .map((t) => ({ sessions: t.sessions, before: old.get(t.sessions), now: t }))
}

/** All numbers of sessions of either: { sessions, before?, now? }, by rising number. */
export function sideBySide(before, now) {
  const rows = new Map()
  for (const t of trialsOf(before)) rows.set(t.sessions, { sessions: t.sessions, before: t })
  for (const t of trialsOf(now)) rows.set(t.sessions, { ...rows.get(t.sessions), sessions: t.sessions, now: t })
  return [...rows.values()].sort((a, b) => a.sessions - b.sessions)
}

const conditions = ['Audio', 'Pauses added', 'Jitter', 'Connections cut', 'Promise']

/** What was tested of either: [name, before, now], null for what one does not say. */
export function bothFacts(before, now) {
  const old = new Map(facts(before))
  const new_ = new Map(facts(now))
  return [...new Set([...old.keys(), ...new_.keys()])].map((name) => [name, old.get(name) ?? null, new_.get(name) ?? null])
}

/** What may explain a difference other than the server, as a sentence; empty where both were tested alike. */
export function unlike(before, now) {
  const names = bothFacts(before, now)
    .filter(([name, old, new_]) => conditions.includes(name) && old !== new_)
    .map(([name], n) => (n === 0 ? name : name.toLowerCase()))
  if (names.length === 0) return ''
  return `${listed(names)} ${names.length === 1 ? 'differs' : 'differ'}, so the server need not be the reason for what has changed.`
}

/** The promise of the newer report, else of the older one. */
export const promiseOfEither = (before, now) => promiseOf(now) ?? promiseOf(before)
