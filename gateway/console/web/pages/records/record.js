import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Dialog } from '../../components/dialog.js'
import { Empty } from '../../components/empty.js'
import { Icon } from '../../components/icon.js'
import { Menu } from '../../components/menu.js'
import { Notice } from '../../components/notice.js'
import { Segments } from '../../components/segments.js'
import { ShareLink } from '../../components/share-link.js'
import { html } from '../../html.js'
import { api, base } from '../../lib/api.js'
import { bytes, clock, day, language, length, several, timeOfDay, translationsOf } from '../../lib/format.js'
import { go } from '../../lib/router.js'
import { Find } from './find.js'
import { Playback } from './playback.js'
import { Player } from './player.js'
import { Rail, railTabs } from './rail.js'
import { Subtitles } from './subtitles.js'
import { voicesOf } from './times.js'
import { Transcript } from './transcript.js'
import { UtterancePages } from './utterance-pages.js'

const unfinished = ['queued', 'processing']

/** The path of a job whose kind is not known: 'v2/live/ID' or 'v2/pre-recorded/ID'. Errors: Problem. */
async function load(id, signal) {
  const path = `v2/live/${encodeURIComponent(id)}`
  try {
    return { path, outline: await api(`${path}/outline`, { signal }) }
  } catch (problem) {
    if (problem.status !== 404) throw problem
    const other = path.replace('live', 'pre-recorded')
    return { path: other, outline: await api(`${other}/outline`, { signal }) }
  }
}

/** One record: #/records/ID?at=12.5&text=bridge */
export function Record({ id, query }) {
  const [record, setRecord] = useState(null)
  const [problem, setProblem] = useState(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const end = new AbortController()
    setRecord(null)
    setProblem(null)
    load(id, end.signal).then(setRecord, (p) => p.name !== 'AbortError' && setProblem(p))
    return () => end.abort()
  }, [id, attempt])
  const waits = record && unfinished.includes(record.outline.job.status)
  useEffect(() => {
    if (!waits) return undefined
    const timer = setTimeout(() => load(id).then(setRecord, setProblem), 3000)
    return () => clearTimeout(timer)
  }, [record, waits])
  if (problem) return html`<${Failed} problem=${problem} onAgain=${() => setAttempt(attempt + 1)} />`
  if (!record) return html`<main id="main" tabindex="-1"></main>`
  return html`<${Opened} key=${waits ? 'waits' : record.path} ...${record} query=${query} />`
}

function Failed({ problem, onAgain }) {
  const gone = problem.status === 404
  const actions = html`${!gone && html`<button type="button" class="button primary" onClick=${onAgain}>Try again</button>`}<a class="button" href="#/records">All records</a>`
  return html`<main class="page" id="main" tabindex="-1">
    <${Empty} page title=${gone ? 'There is no such record.' : 'The record does not come.'} actions=${actions}>
      ${gone ? 'It may have been deleted, or it belongs to another key.' : `${problem.message}. Nothing of it is lost by that.`}
    <//>
  </main>`
}

/** What a record is called: its title, else its first words. */
function useTitle({ job, title }) {
  const name = title || (job.kind === 'live' ? `Session of ${day(job.created_at)}, ${timeOfDay(job.created_at)}` : 'Recording')
  useEffect(() => {
    document.title = `${name} · steno`
  }, [name])
  return name
}

function Opened({ path, outline, query }) {
  const { job } = outline
  const times = outline.utterances
  const title = useTitle(outline)
  const duration = Math.max(job.file?.audio_duration ?? 0, times.end.at(-1) ?? 0)
  const playback = useMemo(() => new Playback(`${base}${path}/file`, duration), [path, duration])
  const pages = useMemo(() => new UtterancePages(path), [path])
  const control = useRef(null)
  const [text, setText] = useState(query.get('text') ?? '')
  const [view, setView] = useState('transcript')
  const [tab, setTab] = useState('summary')
  const size = useFileSize(path, duration)
  useEffect(() => () => playback.close(), [playback])
  useEffect(() => {
    const at = Number(query.get('at'))
    if (!(at > 0) || text) return
    playback.seek(at)
    control.current?.show(Math.max(0, times.start.findLastIndex((s) => s <= at + 0.01)))
  }, [])
  const show = (n) => control.current?.show(n)
  const views = viewsOf(outline)
  const target = view.startsWith('to-') ? view.slice(3) : undefined
  const railView = railTabs.some((r) => r.value === view) ? view : null // on phones the rail is among the views
  return html`<main class="record" id="main" tabindex="-1">
    <${Head} path=${path} outline=${outline} title=${title} duration=${duration} size=${size} />
    <${State} outline=${outline} />
    ${duration > 0 && html`<${Player} path=${path} playback=${playback} outline=${outline} />`}
    <div class=${`record-body${railView ? ' on-rail' : ''}`}>
      <div class="record-text">
        <div class="record-tools">
          <${Segments} label="View" value=${view} options=${views} onChange=${setView} class="segments wide" />
          <${Segments} label="View" value=${view} options=${[...views, ...railTabs]} onChange=${setView} class="segments narrow" />
          ${view === 'transcript' && times.start.length > 0 && html`<${Find} path=${path} text=${text} onText=${setText} onGo=${show} />`}
        </div>
        ${!railView && html`<${View} view=${view} target=${target} path=${path} outline=${outline} pages=${pages} playback=${playback} find=${text} control=${control} />`}
      </div>
      <aside class="rail" aria-label="About this record">
        <${Segments} class="tabs wide" label="About this record" value=${tab} options=${railTabs} onChange=${setTab} />
        <${Rail} tab=${railView ?? tab} outline=${outline} path=${path} playback=${playback} size=${size} onGo=${show} />
      </aside>
    </div>
  </main>`
}

const viewsOf = ({ translations }) => [
  { value: 'transcript', label: 'Transcript' },
  ...translations.map((t) => ({ value: `to-${t}`, label: language(t) })),
  { value: 'subtitles', label: 'Subtitles' },
]

function View({ view, target, path, outline, pages, playback, find, control }) {
  const times = outline.utterances
  if (times.start.length === 0) return html`<p class="pad-text mid">${nothing(outline)}</p>`
  if (view === 'subtitles') return html`<${Subtitles} path=${path} playback=${playback} />`
  return html`<${Transcript} key=${view} pages=${pages} times=${times} playback=${playback} find=${find} target=${target} heard=${outline.languages[0]} control=${control} />`
}

function nothing({ job }) {
  if (unfinished.includes(job.status)) return 'The words come when the job is done.'
  const seconds = job.file?.audio_duration
  return seconds ? `No words. Speech was looked for in ${length(seconds)} and none was found.` : 'No audio came, so there are no words.'
}

/** How large the recording is, from the answer to a request for its first byte. */
function useFileSize(path, duration) {
  const [size, setSize] = useState(0)
  useEffect(() => {
    if (!(duration > 0)) return undefined
    const end = new AbortController()
    fetch(`${base}${path}/file`, { headers: { range: 'bytes=0-0' }, signal: end.signal })
      .then((answer) => setSize(Number(answer.headers.get('content-range')?.split('/')[1]) || 0))
      .catch(() => {})
    return () => end.abort()
  }, [path, duration])
  return size
}

function Head({ path, outline, title, duration, size }) {
  const { job } = outline
  const voices = voicesOf(outline.utterances)
  const speakers = voices.length > 1 && several(voices.length, voices[0].name.startsWith('Channel') ? 'channel' : 'speaker')
  const facts = [`${day(job.created_at)}, ${timeOfDay(job.created_at)}`, duration > 0 && html`<span class="num">${clock(duration)}</span>`]
  facts.push(outline.languages.map(language).join(', '), speakers, job.kind === 'live' ? 'live' : 'file', job.request_params?.model)
  return html`<header class="record-head">
    <a class="crumb" href="#/records"><${Icon} name="left" />Records</a>
    <div>
      <h1 class="head">${title}</h1>
      <p class="facts">${facts.filter(Boolean).map((f, n) => html`<span key=${n}>${n === 0 ? f.charAt(0).toUpperCase() + f.slice(1) : f}</span>`)}</p>
    </div>
    <div class="actions">
      ${job.kind === 'live' && html`<${ShareLink} session=${job.id} languages=${translationsOf(job.request_params)} class="" />`}
      <${Downloads} path=${path} job=${job} size=${size} />
      <${Delete} path=${path} title=${title} duration=${duration} running=${unfinished.includes(job.status)} />
    </div>
  </header>`
}

function Downloads({ path, job, size }) {
  const done = !unfinished.includes(job.status)
  const file = (query) => `${base}${path}/${query}`
  const extension = job.kind === 'live' ? 'wav' : (job.file?.filename?.match(/\.(\w{1,8})$/)?.[1] ?? 'audio')
  const words = [
    { label: 'Text, by speakers', note: '.txt', href: file('transcript?format=txt'), download: `${job.id}.txt` },
    { label: 'Subtitles', note: '.srt', href: file('transcript?format=srt'), download: `${job.id}.srt` },
    { label: 'Web subtitles', note: '.vtt', href: file('transcript?format=vtt'), download: `${job.id}.vtt` },
  ]
  const items = [
    ...(done ? words : []),
    { label: 'Everything', note: '.json', href: `${base}${path}`, download: `${job.id}.json` },
    ...(size > 0 ? [null, { label: 'Audio, as it was sent', note: `.${extension} ${bytes(size)}`, href: file('file'), download: `${job.id}.${extension}` }] : []),
  ]
  return html`<${Menu} label="Download" icon="download" items=${items} />`
}

function Delete({ path, title, duration, running }) {
  const [asks, setAsks] = useState(false)
  const [problem, setProblem] = useState('')
  const remove = () =>
    api(path + (running ? '?cancel=true' : ''), { method: 'DELETE' }).then(
      () => go(['records']),
      (p) => setProblem(p.status === 403 ? 'This key may not delete records.' : p.message),
    )
  const actions = html`<button type="button" class="button" autofocus onClick=${() => setAsks(false)}>Keep</button>
    <button type="button" class="button danger solid" onClick=${remove}>Delete</button>`
  return html`<button type="button" class="button only quiet danger" aria-label="Delete this record" onClick=${() => setAsks(true)}><${Icon} name="trash" /></button>
    ${asks &&
    html`<${Dialog} title=${`Delete “${title}”?`} actions=${actions} onClose=${() => setAsks(false)}>
      <p>
        The words${duration > 0 && `, ${length(duration)} of audio`} and everything that was found in them go at once and for good. Callbacks that have not
        been delivered are not sent.
      </p>
      ${problem && html`<p class="danger-text">${problem}</p>`}
    <//>`}`
}

/** Says what is open: it runs, it is being transcribed, it has failed. */
function State({ outline }) {
  const { job } = outline
  if (unfinished.includes(job.status)) {
    const live = job.kind === 'live'
    const action = live && html`<a class="button small" href=${`#/sessions/${job.id}`}>Follow it</a>`
    const part = outline.progress === null ? '' : `${Math.round(outline.progress * 100)} % of it is heard. `
    const title = live ? 'This session is running.' : job.status === 'queued' ? 'This recording waits for its turn.' : 'This recording is being transcribed.'
    return html`<${Notice} icon="records" title=${title} action=${action}>
      ${live ? 'Its record is complete when it has ended.' : `${part}This page shows the words as soon as they are there.`}
    <//>`
  }
  if (job.status === 'error') {
    return html`<${Notice} kind="bad" title=${job.kind === 'live' ? 'This session ended early.' : 'This recording could not be transcribed.'}>
      ${job.post_session_metadata?.error_message || `The server gave ${job.error_code}.`} ${outline.utterances.start.length > 0 && 'What came before is here.'}
    <//>`
  }
  return null
}
