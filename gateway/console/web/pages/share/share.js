import './share.css'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../components/icon.js'
import { Select } from '../../components/select.js'
import { html } from '../../html.js'
import { Conversation } from '../../lib/conversation.js'
import { language } from '../../lib/format.js'
import { usePreference } from '../../lib/preferences.js'
import { changeTheme } from '../../lib/theme.js'
import { keepAwake } from '../talk/wake.js'
import { Events } from './events.js'

const shownFinals = 6 // more never fit
const quietAfter = 3000 // ms without movement until the controls hide

/** The captions of a shared session: #/share/ID?token=TOKEN. The token is in the fragment, which no server is sent. */
export function Share({ rest, query }) {
  const session = rest[0]
  const token = query.get('token') ?? ''
  const [state, setState] = useState({ is: 'opening' })
  const conversation = useRef(null)
  const [, setVersion] = useState(0)
  const [chosen, setChosen] = usePreference(`captions.${session}`, query.get('language') ?? '')
  const quiet = useQuiet()
  useEffect(() => {
    conversation.current = new Conversation()
    if (!session || !token) {
      setState({ is: 'failed', status: 404 })
      return undefined
    }
    const events = new Events(`v2/live/${encodeURIComponent(session)}/events`, {
      token,
      onState: setState,
      onEvent: ({ type, message }) => {
        if (type === 'end_session') setState({ is: 'ended' })
        if (conversation.current.take(message)) setVersion((v) => v + 1)
      },
    })
    keepAwake(true)
    return () => {
      events.close()
      keepAwake(false)
    }
  }, [session, token])
  const items = (conversation.current?.items ?? []).filter((i) => i.utterance)
  const spoken = items.findLast((i) => i.state !== 'partial')?.utterance.language ?? ''
  const languages = languagesOf(items, spoken)
  const target = languages.some((l) => l.value === chosen) && chosen !== spoken ? chosen : ''
  return html`<main class=${`caption${quiet ? ' quiet' : ''}`} id="main" tabindex="-1">
    <h1 class="unseen">Captions</h1>
    <div class="bar">
      ${languages.length > 1
        ? html`<${Select} plain icon="globe" label="Language of the captions" value=${target || spoken} options=${languages} onChange=${setChosen} />`
        : html`<span class="row"><${Icon} name="globe" />${spoken && language(spoken)}</span>`}
      <span class="grow"></span>
      ${state.is === 'lost' && html`<span class="row lost" role="status"><${Icon} name="unplugged" />Reconnecting. Nothing will be missed.</span>`}
      <button type="button" class="button quiet only" aria-label="Dark or light" onClick=${changeTheme}><${Icon} name="theme" /></button>
    </div>
    ${state.is === 'failed' ? html`<${Closed} status=${state.status} />` : html`<${Lines} items=${items} target=${target} state=${state.is} />`}
  </main>`
}

/** What was said and what it was translated to, as options. */
function languagesOf(items, spoken) {
  const codes = new Set(spoken ? [spoken] : [])
  for (const item of items) for (const t of item.translations ?? []) if (t.text) codes.add(t.language)
  return [...codes].map((c) => ({ value: c, label: own(c) }))
}

/** A language by its own name. */
function own(code) {
  try {
    const name = new Intl.DisplayNames([code], { type: 'language' }).of(code)
    return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
  } catch {
    return language(code)
  }
}

/** Hides the lines that do not fit as a whole, but never the last. */
function hideCut(box) {
  const { top } = box.getBoundingClientRect()
  const all = [...box.querySelectorAll('p')]
  all.forEach((p, n) => p.classList.toggle('cut', n < all.length - 1 && p.getBoundingClientRect().top < top - 1))
}

/** The last finals that fit, and what is being said; translations have no such words. */
function Lines({ items, target, state }) {
  const box = useRef(null)
  useLayoutEffect(() => hideCut(box.current))
  const lines = []
  for (const item of items) {
    const text = target ? item.translations?.find((t) => t.language === target)?.text : item.utterance.text.trim()
    if (text && (!target || item.state !== 'partial')) lines.push({ id: item.id, text, partial: item.state === 'partial', lang: target || item.utterance.language })
  }
  const ended = state === 'ended'
  if (lines.length === 0) {
    return html`<div class="lines" ref=${box}><p class="waiting">${ended ? 'Nothing was said in this session.' : 'Captions begin when somebody speaks.'}</p></div>`
  }
  return html`<div class="lines" ref=${box}>
    <div aria-live="polite">
      ${lines.filter((l) => !l.partial).slice(-shownFinals).map((l) => html`<p key=${l.id} lang=${l.lang}>${l.text}</p>`)}
    </div>
    ${lines.filter((l) => l.partial).map((l) => html`<p key=${l.id} class="pale" lang=${l.lang} aria-hidden="true">${l.text}<span class="caret"></span></p>`)}
    ${ended && html`<p class="waiting over">The session has ended.</p>`}
  </div>`
}

function Closed({ status }) {
  const gone = status === 401 || status === 403 || status === 404
  return html`<div class="lines"><p class="waiting">${gone ? 'This link does not lead to captions any more.' : 'The captions do not come.'}</p>
    <p class="waiting hint-line">${gone ? 'It has expired, or was withdrawn. Whoever made it can make another one.' : 'This page tries again when it is loaded again.'}</p></div>`
}

/** Whether nobody has moved anything for a while. */
function useQuiet() {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    let timer
    const moved = () => {
      setQuiet(false)
      clearTimeout(timer)
      timer = setTimeout(() => setQuiet(!document.activeElement?.closest('.bar')), quietAfter)
    }
    moved()
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin']
    for (const e of events) addEventListener(e, moved)
    return () => {
      clearTimeout(timer)
      for (const e of events) removeEventListener(e, moved)
    }
  }, [])
  return quiet
}
