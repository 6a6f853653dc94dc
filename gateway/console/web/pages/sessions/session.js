import { useEffect, useRef, useState } from 'preact/hooks'
import { Copy } from '../../components/copy.js'
import { Dialog } from '../../components/dialog.js'
import { Empty } from '../../components/empty.js'
import { Following } from '../../components/following.js'
import { Icon } from '../../components/icon.js'
import { Json } from '../../components/json.js'
import { Notice } from '../../components/notice.js'
import { Pad } from '../../components/pad.js'
import { Segments } from '../../components/segments.js'
import { ShareLink } from '../../components/share-link.js'
import { Voice } from '../../components/voice.js'
import { html } from '../../html.js'
import { announce } from '../../lib/announce.js'
import { api } from '../../lib/api.js'
import { Conversation, voiceOf } from '../../lib/conversation.js'
import { clock, count, language, listed, median, several, timeOfDay, translationsOf } from '../../lib/format.js'
import { usePoll } from '../../lib/poll.js'
import { usePreference } from '../../lib/preferences.js'
import { go } from '../../lib/router.js'
import { useShortcut } from '../../lib/shortcuts.js'
import { may } from '../../lib/sign-in.js'
import { Log } from '../talk/log.js'
import { Events } from '../share/events.js'
import { Delays } from './delays.js'
import { formatOf, nameOf, stateOf } from './session-row.js'
import { SpeechEnds } from './speech-ends.js'
import { Strip } from './strip.js'

const slowFinal = 1000 // ms from which it is amber
const catchUp = 5000 // ms after which what comes is taken for live
const behind = 40 // messages that come at once when one joins late
const panelTabs = [
  { value: 'session', label: 'Session' },
  { value: 'messages', label: 'Messages' },
  { value: 'delays', label: 'Delays' },
]

/** One session that is followed live, from its beginning. */
export function Session({ id }) {
  const path = `v2/live/${encodeURIComponent(id)}`
  const [job, setJob] = useState(null)
  const [problem, setProblem] = useState(null)
  useEffect(() => {
    api(`${path}/outline`).then(({ job: j, title }) => setJob({ ...j, title }), setProblem)
  }, [id])
  if (problem) {
    const gone = problem.status === 404
    return html`<main class="page" id="main" tabindex="-1">
      <${Empty} page title=${gone ? 'There is no such session.' : 'The session does not come.'} actions=${html`<a class="button" href="#/sessions">All sessions</a>`}>
        ${gone ? 'It may have been deleted, or it belongs to another key.' : `${problem.message}.`}
      <//>
    </main>`
  }
  return job ? html`<${Followed} id=${id} path=${path} job=${job} />` : html`<main id="main" tabindex="-1"></main>`
}

/** The conversation of a session as its events tell it, and how the connection is. */
function useEvents(path) {
  const state = useRef(null)
  const [connection, setConnection] = useState('opening')
  const [version, setVersion] = useState(0)
  state.current ??= { conversation: new Conversation(), log: new Log(), ends: new SpeechEnds(), joined: false, began: Date.now(), offset: null, came: 0 }
  useEffect(() => {
    const at = state.current
    let drawing = 0
    const draw = () => {
      drawing ||= requestAnimationFrame(() => {
        drawing = 0
        setVersion((v) => v + 1)
      })
    }
    const take = ({ type, message, text }) => {
      at.came++
      at.log.take(text, message)
      at.ends.take(message)
      // The reader has joined with the first message that is younger than this page, or a while after where clocks differ.
      if (!at.joined && (Date.parse(message.created_at) > at.began || Date.now() - at.began > catchUp)) {
        at.joined = true
        if (at.conversation.finals > 0) at.conversation.divide('you joined here; all of the above was said before')
      }
      if (type === 'end_session') {
        at.conversation.end()
        setConnection('ended')
      }
      const time = message.data?.time ?? message.data?.utterance?.end
      if (typeof time === 'number') at.offset = Date.parse(message.created_at) / 1000 - time
      if (at.conversation.take(message) === 'final' && at.joined) announce(message.data.utterance.text.trim())
      draw()
    }
    const events = new Events(`${path}/events?receive_partial_transcripts=true&receive_lifecycle_events=true&receive_speech_events=true&receive_final_transcripts=true&receive_realtime_processing_events=true&receive_post_processing_events=true`, {
      onEvent: take,
      onState: ({ is }) => setConnection((before) => (before === 'ended' && is === 'lost' ? before : is)),
    })
    return () => {
      cancelAnimationFrame(drawing)
      events.close()
    }
  }, [path])
  return { ...state.current, state: state.current, connection, version }
}

function Followed({ id, path, job }) {
  const { conversation, log, connection, state } = useEvents(path)
  const [now, setNow] = useState(null)
  const [confidence, setConfidence] = usePreference('session.confidence', true)
  const [tab, setTab] = useState('session')
  const [sheet, setSheet] = useState(false)
  const [follows, setFollows] = useState(true)
  const pad = useRef(null)
  const ended = connection === 'ended'
  usePoll(
    async (signal) => {
      if (ended) return
      const { items } = await api('v2/sessions', { signal }).catch(() => ({ items: [] }))
      setNow(items.find((s) => s.id === id) ?? null)
    },
    1,
    [id, ended],
  )
  useShortcut('Escape', () => setSheet(false), sheet)
  const name = job.title || nameOf({ id })
  useEffect(() => {
    document.title = `${name} · steno`
  }, [name])
  const [kind, doing] = ended ? ['', 'ended'] : now ? stateOf(now) : ['', '']
  const look = `talk live followed with-panel${confidence ? '' : ' plain-words'}${sheet ? ' sheet' : ''}`
  return html`<main class=${look} id="main" tabindex="-1">
    <section class="stage" aria-label="Transcript">
      <div class="stage-bar">
        <a class="button quiet small only" href="#/sessions" aria-label="Back to sessions"><${Icon} name="left" /></a>
        <div class="facts grow">
          <h1>${name}</h1>
          ${doing && html`<span class="row doing-now"><i class=${`dot ${kind === 'on' ? 'live' : kind === 'warn' ? 'warn' : 'open'}`}></i>${doing}</span>`}
          ${now && html`<span class="num wide">${clock(now.age)}</span>`}
        </div>
        <span class="row wide">
          <button type="button" class="button quiet small" aria-pressed=${confidence} title="Show words of low confidence" onClick=${() => setConfidence(!confidence)}>Confidence</button>
          <${Copy} text=${() => conversation.text()} disabled=${conversation.finals === 0} />
        </span>
        <${ShareLink} session=${id} languages=${translationsOf(job.request_params)} />
        <button type="button" class="button quiet small only open-panel has-panel" aria-label="About this session" onClick=${() => setSheet(true)}><${Icon} name="options" /></button>
      </div>
      <div><${Bar} connection=${connection} id=${id} came=${state.came} joined=${state.joined} /></div>
      <${Following} finals=${conversation.finals} onFollow=${setFollows} control=${pad}>
        ${conversation.items.length > 0
          ? html`<${Pad} items=${conversation.items} named=${conversation.voices.size > 1} />`
          : html`<p class="quiet-pad">${ended ? 'Nothing was said in this session.' : 'Nothing has been said yet. Words come here as they are spoken.'}</p>`}
      <//>
      <div class="dock">
        ${!ended && html`<${Strip} path=${path} conversation=${conversation} />`}
        <div class="deck follow-deck">
          <span class="row">
            ${!ended && html`<button type="button" class="button" aria-pressed=${follows} onClick=${() => pad.current.goLive()}>${follows ? html`<${Icon} name="check" />Following` : 'Follow'}</button>`}
            <span class="second mid wide">${ended ? 'The session has ended.' : follows ? 'Scroll up to read; it stays where you are.' : 'Reading. What is new is counted, not shown.'}</span>
          </span>
          ${!ended && html`<${FinalDelay} finals=${state.ends.finals} />`} ${ended && html`<a class="button" href=${`#/records/${id}`}><${Icon} name="records" />Open the record</a>`}
        </div>
      </div>
    </section>
    ${sheet && html`<div class="sheet-veil" onClick=${() => setSheet(false)}></div>`}
    <aside class="panel" aria-label="About this session">
      <div class="panel-head">
        <${Segments} class="tabs" label="About this session" value=${tab} options=${panelTabs} onChange=${setTab} />
        ${sheet && html`<button type="button" class="button quiet small only" aria-label="Close panel" onClick=${() => setSheet(false)}><${Icon} name="close" /></button>`}
      </div>
      ${tab === 'session' && html`<${About} id=${id} path=${path} job=${job} now=${now} conversation=${conversation} />`} ${tab === 'messages' && html`<${Messages} log=${log} />`}
      ${tab === 'delays' && html`<${Delays} path=${path} conversation=${conversation} ends=${state.ends} ended=${ended} />`}
      <div class="panel-foot">
        <span class="grow">Opened ${timeOfDay(job.created_at)}</span>
        ${!ended && may('live') && html`<${End} path=${path} name=${name} />`}
      </div>
    </aside>
  </main>`
}

const recentFinals = 20

/** How long finals take from the end of speech, as the messages tell. */
function FinalDelay({ finals }) {
  const ms = median(finals.slice(-recentFinals).map((f) => f.seconds * 1000))
  return html`<dl class="delays" title="Median of the last 20, from the end of speech">
    <div class=${ms >= slowFinal ? 'over' : ''}><dt>final</dt><dd class="num">${ms === null ? '–' : count(Math.round(ms))}<small>ms</small></dd></div>
  </dl>`
}

function Bar({ connection, id, came, joined }) {
  if (connection === 'lost') return html`<${Notice} kind="warn" icon="unplugged" title="Connection lost.">The session goes on. What is said meanwhile comes when this page is connected again.<//>`
  if (connection === 'failed') return html`<${Notice} kind="bad" title="This session cannot be followed.">It may have been deleted, or the sign-in has ended.<//>`
  if (connection === 'ended') return html`<${Notice} title="The session has ended." action=${html`<a class="button small" href=${`#/records/${id}`}>Open the record</a>`}>Its words and audio are kept as a record.<//>`
  if (!joined && came > behind) return html`<${Notice} title="Catching up.">${count(came)} messages have come. What is live is shown after them.<//>`
  return null
}

function About({ id, path, job, now, conversation }) {
  const p = job.request_params ?? {}
  const voices = new Map()
  for (const item of conversation.items) {
    if (!item.utterance || item.state === 'partial') continue
    const v = voiceOf(item.utterance)
    voices.set(v.name, { ...v, seconds: (voices.get(v.name)?.seconds ?? 0) + item.utterance.end - item.utterance.start })
  }
  const entities = conversation.items.reduce((sum, i) => sum + (i.entities?.length ?? 0), 0)
  const targets = translationsOf(p)
  const facts = [
    ['Id', html`<span class="mono label">${id}</span>`],
    ['Client', now?.key && `key “${now.key}”`],
    ['Audio', formatOf({ sample_rate: p.sample_rate, encoding: p.encoding, channels: p.channels }) + (p.bit_depth ? `, ${p.bit_depth} bit` : '')],
    ['Language', (p.language_config?.languages ?? []).length > 0 ? listed(p.language_config.languages.map(language)) : 'left open'],
    ['Model', p.model],
    ['Connections', now?.connections > 0 && (now.connections === 1 ? 'one, never lost' : `${count(now.connections)}, ${several(now.connections - 1, 'time')} resumed`)],
    ['Finals', conversation.finals > 0 && html`${count(conversation.finals)}${now?.final_delay ? html`, 19 of 20 within <span class="num">${Math.round(now.final_delay * 1000)}<small>ms</small></span>` : ''}`],
    ['Callbacks', p.callback && p.callback_config?.url && html`<${CallbackCounts} path=${path} url=${p.callback_config.url.split('?')[0]} />`],
  ]
  const addons = [
    ['Translation', targets.length > 0 && listed(targets.map(language))],
    ['Entities', p.realtime_processing?.named_entity_recognition && `${count(entities)} found`],
    ['Sentiment', p.realtime_processing?.sentiment_analysis && 'of each utterance'],
    ['Summary', p.post_processing?.summarization && (conversation.summary?.text ?? 'at the end')],
    ['Chapters', p.post_processing?.chapterization && (conversation.chapters ? several(conversation.chapters.list.length, 'chapter') : 'at the end')],
  ].filter(([, v]) => v)
  return html`<div class="panel-body"><div class="options">
    <dl class="facts-list">${facts.filter(([, v]) => v).map(([k, v]) => html`<dt>${k}</dt><dd>${v}</dd>`)}</dl>
    ${voices.size > 1 && html`<h2>Speakers</h2><dl class="facts-list">${[...voices.values()].map((v) => html`<dt><${Voice} n=${v.n} name=${v.name} /></dt><dd class="num">${clock(v.seconds)}</dd>`)}</dl>`}
    ${addons.length > 0 && html`<h2>Add-ons</h2><dl class="facts-list">${addons.map(([k, v]) => html`<dt>${k}</dt><dd>${v}</dd>`)}</dl>`}
  </div></div>`
}

/** Where callbacks go, and how many have not arrived. */
function CallbackCounts({ path, url }) {
  const [items, setItems] = useState(null)
  usePoll((signal) => api(`${path}/callbacks`, { signal }).then((list) => setItems(list.items), () => {}), 5, [path])
  const by = (state) => (items ?? []).filter((d) => d.state === state).length
  const said = [by('pending') > 0 && `${count(by('pending'))} waiting`, by('dead') > 0 && `${count(by('dead'))} given up`].filter(Boolean).join(', ')
  return html`<span class="mono label">${url}</span>${items && html`<br />${said || 'none waiting'}`}`
}

const shownMessages = 200

function Messages({ log }) {
  const [open, setOpen] = useState(null)
  const newest = log.entries.slice(-shownMessages).reverse()
  return html`<div class="panel-body messages">
    ${newest.length === 0 && html`<p class="nothing">No message has come yet.</p>`}
    ${newest.map(
      (e) => html`<button key=${e.n} type="button" class=${`message${open === e.n ? ' open' : ''}`} aria-expanded=${open === e.n} onClick=${() => setOpen(open === e.n ? null : e.n)}>
          <span class="at">${clock(e.at, 2)}</span><span aria-hidden="true">↓</span><b class=${e.partial ? 'pale' : ''}>${e.type}${e.partial ? ', partial' : ''}</b>
        </button>
        ${open === e.n && html`<${Json} value=${JSON.parse(e.text)} />`}`,
    )}
  </div>`
}

function End({ path, name }) {
  const [asks, setAsks] = useState(false)
  const [problem, setProblem] = useState('')
  const end = () =>
    api(`${path}?cancel=true`, { method: 'DELETE' }).then(
      () => go(['sessions']),
      (p) => setProblem(p.status === 403 ? 'This key may not end sessions.' : p.message),
    )
  const actions = html`<button type="button" class="button" autofocus onClick=${() => setAsks(false)}>Keep it running</button>
    <button type="button" class="button danger solid" onClick=${end}>End and delete</button>`
  return html`<button type="button" class="button small danger" onClick=${() => setAsks(true)}>End session</button>
    ${asks &&
    html`<${Dialog} title=${`End “${name}”?`} actions=${actions} onClose=${() => setAsks(false)}>
      <p>Whoever is speaking is cut off, and nothing of the session is kept: its words and its audio are deleted. To keep them, have the client stop.</p>
      ${problem && html`<p class="danger-text">${problem}</p>`}
    <//>`}`
}
