import { useEffect, useRef, useState } from 'preact/hooks'
import { Empty } from '../../components/empty.js'
import { Icon } from '../../components/icon.js'
import { Notice } from '../../components/notice.js'
import { html } from '../../html.js'
import { api } from '../../lib/api.js'
import { useCell } from '../../lib/cell.js'
import { day, language, listed } from '../../lib/format.js'
import { go } from '../../lib/router.js'
import { useShortcut } from '../../lib/shortcuts.js'
import { may } from '../../lib/sign-in.js'
import { models } from '../../lib/status.js'
import { FilterChip, MetadataChip } from './filter-chip.js'
import { Row } from './row.js'

const kinds = [
  { value: 'live', label: 'Live' },
  { value: 'pre-recorded', label: 'Files' },
]
const states = [
  { value: 'done', label: 'Done' },
  { value: 'processing', label: 'Under way' },
  { value: 'queued', label: 'Waiting' },
  { value: 'error', label: 'Ended early' },
]
const spans = [
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
]
const filterNames = ['time', 'kind', 'state', 'language', 'metadata']

/** The beginning and the end of a span of days, as the reader's calendar has them. */
function bounds(span, now = new Date()) {
  const midnight = (back) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - back)
  const just = (d) => new Date(d.getTime() - 1).toISOString()
  if (span === 'today') return { after_date: just(midnight(0)) }
  if (span === 'yesterday') return { after_date: just(midnight(1)), before_date: midnight(0).toISOString() }
  return { after_date: just(midnight(span === 'week' ? 6 : 29)) }
}

/** The query of the search that filters stand for. */
function searchOf(filters, text) {
  const q = new URLSearchParams({ limit: 20 })
  if (text) q.set('text', text)
  if (filters.time) for (const [name, value] of Object.entries(bounds(filters.time))) q.set(name, value)
  if (filters.kind) q.set('kind', filters.kind)
  if (filters.state) q.set('status', filters.state)
  if (filters.language) q.set('language', filters.language)
  if (filters.metadata) {
    const at = filters.metadata.indexOf('=')
    q.set('custom_metadata', JSON.stringify({ [filters.metadata.slice(0, at)]: filters.metadata.slice(at + 1) }))
  }
  return q.toString()
}

/** The records of the account: search, filters, and the newest first. */
export function RecordList({ query }) {
  const text = query.get('q') ?? ''
  const filters = Object.fromEntries(filterNames.map((n) => [n, query.get(n) ?? '']))
  const on = filterNames.filter((n) => filters[n])
  const search = searchOf(filters, text)
  const found = useSearch(search)
  const sending = useSending(() => found.again())
  const change = (more) => go(['records'], { q: text, ...filters, ...more }, { replace: true })
  const clear = () => change(Object.fromEntries(filterNames.map((n) => [n, ''])))
  const nothing = found.items?.length === 0 && !found.next
  return html`<main class="page" id="main" tabindex="-1">
    ${nothing && !text && on.length === 0
      ? html`<${NothingYet} sending=${sending} />`
      : html`<h1 class="head">Records</h1>
          <${Finder} text=${text} onText=${(q) => change({ q })} sending=${sending} />
          <${Filters} filters=${filters} onChange=${change} found=${found} text=${text} />`}
    <${Sending} sending=${sending} />
    ${found.problem
      ? html`<${Notice} kind="bad" box title="The records do not come." action=${html`<button type="button" class="button small" onClick=${found.again}>Try again</button>`}>${found.problem.message}. Nothing of them is lost by that.<//>`
      : html`<${Days} items=${found.items ?? []} text=${text} />`}
    ${nothing && (text || on.length > 0) && html`<${NothingFound} text=${text} on=${on} filters=${filters} onClear=${clear} />`}
    ${found.next && html`<${More} found=${found} searching=${Boolean(text || filters.language)} />`}
  </main>`
}

/** Asks for a search, and for more of it. */
function useSearch(search) {
  const [state, setState] = useState({ items: null, next: null, until: null, problem: null })
  const [busy, setBusy] = useState(false)
  const [round, setRound] = useState(0)
  useEffect(() => {
    const end = new AbortController()
    api(`v2/records?${search}`, { signal: end.signal }).then(
      (page) => setState({ items: page.items, next: page.next, until: page.searched_until, problem: null }),
      (problem) => problem.name !== 'AbortError' && setState((s) => ({ ...s, problem })),
    )
    return () => end.abort()
  }, [search, round])
  const open = state.items?.some((i) => ['queued', 'processing'].includes(i.status))
  useEffect(() => {
    if (!open) return undefined
    const timer = setInterval(() => !document.hidden && scrollY < innerHeight && setRound((r) => r + 1), 4000)
    return () => clearInterval(timer)
  }, [open])
  const more = async () => {
    setBusy(true)
    try {
      const page = await api('v2/records?' + state.next.split('?')[1])
      setState((s) => {
        const known = new Set(s.items.map((i) => i.id))
        return { items: [...s.items, ...page.items.filter((i) => !known.has(i.id))], next: page.next, until: page.searched_until, problem: null }
      })
    } catch (problem) {
      setState((s) => ({ ...s, problem }))
    }
    setBusy(false)
  }
  return { ...state, busy, more, again: () => setRound((r) => r + 1) }
}

function Finder({ text, onText, sending }) {
  const [field, setField] = useState(text)
  const input = useRef(null)
  useShortcut('/', () => input.current.focus())
  useEffect(() => setField(text), [text])
  useEffect(() => {
    const wait = setTimeout(() => field.trim() !== text && onText(field.trim()), 350)
    return () => clearTimeout(wait)
  }, [field])
  return html`<div class="finder">
    <label class="search">
      <${Icon} name="search" />
      <input
        class="input"
        type="search"
        ref=${input}
        aria-label="Search what was said, titles and ids"
        placeholder="Search what was said"
        maxlength="200"
        value=${field}
        onInput=${(e) => setField(e.target.value)}
        onKeyDown=${(e) => e.key === 'Enter' && onText(field.trim())}
      />
      ${!field && html`<kbd class="wide">/</kbd>`}
    </label>
    <${TranscribeButton} sending=${sending} />
  </div>`
}

function Filters({ filters, onChange, found, text }) {
  const known = useCell(models)
  const codes = [...new Set(known?.models.flatMap((m) => m.languages) ?? [])]
  const languages = codes.map((c) => ({ value: c, label: language(c) })).sort((a, b) => a.label.localeCompare(b.label))
  const set = (name) => (value) => onChange({ [name]: value })
  return html`<div class="filters-row" role="group" aria-label="Filters">
    <${FilterChip} label="Any time" value=${filters.time} options=${spans} onChange=${set('time')} />
    <${FilterChip} label="Live and files" value=${filters.kind} options=${kinds} onChange=${set('kind')} />
    <${FilterChip} label="Any state" value=${filters.state} options=${states} onChange=${set('state')} />
    ${(languages.length > 1 || filters.language) && html`<${FilterChip} label="Language" value=${filters.language} options=${languages} onChange=${set('language')} />`}
    <${MetadataChip} value=${filters.metadata} onChange=${set('metadata')} />
    <span class="grow"></span>
    <span class="dim second tally" role="status">${found.items && tallyOf(found, text)}</span>
  </div>`
}

function tallyOf({ items, next }, text) {
  const records = `${items.length}${next ? '+' : ''} ${items.length === 1 && !next ? 'record' : 'records'}`
  if (!text) return items.length > 0 ? records : ''
  const places = items.reduce((sum, i) => sum + (i.places?.count ?? 0), 0)
  return `${places} ${places === 1 ? 'place' : 'places'} in ${records}`
}

/** The rows below the days that they are of. */
function Days({ items, text }) {
  const days = []
  for (const item of items) {
    const name = day(item.created_at)
    if (days.at(-1)?.name === name) days.at(-1).items.push(item)
    else days.push({ name, items: [item] })
  }
  return days.map(
    ({ name, items: list }) => html`<section key=${name} aria-label=${name}>
      <h2 class="day">${name.charAt(0).toUpperCase() + name.slice(1)}</h2>
      ${list.map((item) => html`<${Row} key=${item.id} item=${item} text=${text} />`)}
    </section>`,
  )
}

function More({ found, searching }) {
  const back = found.until && `${day(found.until)}`
  return html`<div class="more">
    <button type="button" class="button" disabled=${found.busy} onClick=${found.more}>${searching ? 'Search older records' : 'Older records'}</button>
    ${searching && back && html`<span class="dim second">Searched back to ${back}.</span>`}
  </div>`
}

function NothingYet({ sending }) {
  const actions = html`<a class="button primary" href="#/talk"><${Icon} name="microphone" />Talk</a><${TranscribeButton} sending=${sending} />`
  return html`<${Empty} page title="Nothing has been recorded yet." actions=${actions}>
    What is said in a session is kept here when it ends: words, audio and what the add-ons found. Files can be handed in too.
  <//>`
}

function NothingFound({ text, on, filters, onClear }) {
  const names = on.map((n) => [...spans, ...kinds, ...states].find((o) => o.value === filters[n])?.label ?? (n === 'language' ? language(filters[n]) : filters[n]))
  const said = on.length > 0 && `${on.length === 1 ? 'One filter is on' : `${on.length} filters are on`}: ${listed(names.map((n) => n.toLowerCase()))}.`
  const shorter = text.length > 4 && `The engine may also have heard another word: try part of it, “${text.slice(0, Math.ceil(text.length / 2))}”.`
  return html`<${Empty}
    title=${text ? `No record has “${text}” in it.` : 'No record is like that.'}
    actions=${on.length > 0 && html`<button type="button" class="button" onClick=${onClear}>Remove the filters</button>`}
    >${said} ${shorter}<//
  >`
}

/** Handing in a file: { state: '' | 'sending' | 'failed', name, message, send(file) }. */
function useSending(onSent) {
  const [state, setState] = useState({ state: '', name: '', message: '' })
  const send = async (file) => {
    setState({ state: 'sending', name: file.name, message: '' })
    const form = new FormData()
    form.set('audio', file)
    try {
      const { audio_url } = await api('v2/upload', { method: 'POST', body: form })
      await api('v2/pre-recorded', { method: 'POST', json: { audio_url } })
      setState({ state: '', name: '', message: '' })
      onSent()
    } catch (problem) {
      setState({ state: 'failed', name: file.name, message: problem.faults[0] ?? problem.message })
    }
  }
  return { ...state, send, close: () => setState({ state: '', name: '', message: '' }) }
}

function TranscribeButton({ sending }) {
  const input = useRef(null)
  if (!may('jobs')) return null
  const picked = (e) => {
    const [file] = e.target.files
    e.target.value = ''
    if (file) sending.send(file)
  }
  return html`<button type="button" class="button transcribe" disabled=${sending.state === 'sending'} onClick=${() => input.current.click()}>
      <${Icon} name="file" />Transcribe a file
    </button>
    <input type="file" accept="audio/*,video/*" hidden ref=${input} aria-label="File to transcribe" onChange=${picked} />`
}

function Sending({ sending }) {
  if (sending.state === 'sending') return html`<${Notice} box icon="up" title=${`${sending.name} is being sent.`}>It shows up here when all of it has come.<//>`
  if (sending.state === 'failed') {
    return html`<${Notice} box kind="bad" title=${`${sending.name} was not taken.`} action=${html`<button type="button" class="button small" onClick=${sending.close}>Close</button>`}>${sending.message}.<//>`
  }
  return null
}
