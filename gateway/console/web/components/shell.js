import { useEffect, useState } from 'preact/hooks'
import { html } from '../html.js'
import { announcement } from '../lib/announce.js'
import { signedOut } from '../lib/api.js'
import { useCell } from '../lib/cell.js'
import { defaultTrouble, engineName } from '../lib/engines.js'
import { usePoll } from '../lib/poll.js'
import { go, route } from '../lib/router.js'
import { useShortcut } from '../lib/shortcuts.js'
import { signOut, user } from '../lib/sign-in.js'
import { models, refreshStatus, runningSessions, server } from '../lib/status.js'
import { changeTheme } from '../lib/theme.js'
import { SignIn } from '../pages/login/sign-in.js'
import { leave, takeUp } from '../pages/talk/recording.js'
import { Brand } from './brand.js'
import { Dialog } from './dialog.js'
import { Icon } from './icon.js'
import { Keys } from './keys.js'
import { Menu } from './menu.js'
import { Notice } from './notice.js'

export const mainPages = [
  { name: 'talk', title: 'Talk', icon: 'microphone', key: 't' },
  { name: 'sessions', title: 'Sessions', icon: 'sessions', key: 's' },
  { name: 'records', title: 'Records', icon: 'records', key: 'r' },
  { name: 'load', title: 'Load', icon: 'load', key: 'l' },
]

/** What every page has around it. */
export function Shell({ children }) {
  const [keys, setKeys] = useState(false)
  const { page } = useCell(route)
  const settled = useCell(server).state === 'ready'
  usePoll(refreshStatus, settled ? 10 : 2, [settled])
  useEffect(() => void takeUp(), []) // whichever page is shown: the gateway does not wait for long
  useShortcut('?', () => setKeys(true))
  for (const p of mainPages) useShortcut(`g ${p.key}`, () => go([p.name]))
  const skip = (e) => {
    e.preventDefault()
    document.getElementById('main').focus()
  }
  return html`<a class="skip" href="#main" onClick=${skip}>Skip to content</a>
    <header class="top">
      <${Brand} />
      <${Pages} page=${page} />
      <div class="state"><${ServerState} /><${Tools} onKeys=${() => setKeys(true)} /></div>
    </header>
    <${SignedOut} />
    ${children} <${LiveRegion} /> ${keys && html`<${Keys} onClose=${() => setKeys(false)} />`}`
}

function Pages({ page }) {
  const sessions = useCell(runningSessions)
  return html`<nav class="pages" aria-label="Main">
    ${mainPages.map(
      (p) => html`<a key=${p.name} href=${'#/' + p.name} aria-current=${p.name === page ? 'page' : null}>
        <${Icon} name=${p.icon} />${p.title}${p.name === 'sessions' && sessions > 0 && html`<span class="count">${sessions}</span>`}
      </a>`,
    )}
  </nav>`
}

function ServerState() {
  const { state, reason } = useCell(server)
  const trouble = defaultTrouble(useCell(models))
  const [dot, text] = {
    unknown: ['open', ''],
    ready: trouble?.is === 'stand-in' ? ['warn', `${engineName(trouble.away)} is away`] : ['live', 'Engines ready'],
    unready: ['warn', 'Not ready'],
    away: ['bad', 'No answer'],
  }[state]
  return text && html`<span class="row" title=${reason}><i class=${`dot ${dot}`}></i>${text}</span>`
}

function Tools({ onKeys }) {
  const who = useCell(user)
  const end = () => {
    leave()
    signOut().catch(() => {})
  }
  return html`<span class="tools">
    <a class="button quiet small wide" href="docs">Docs</a>
    <button type="button" class="button quiet small only" aria-label="Change theme" onClick=${changeTheme}><${Icon} name="theme" /></button>
    ${who &&
    html`<${Menu}
      label=${`Signed in to ${who.account}`}
      icon="key"
      only
      class="quiet small"
      items=${[
        { label: 'Keys of the keyboard', note: '?', onPick: onKeys },
        { label: 'API description', href: 'docs' },
        null,
        { label: 'Sign out', note: who.account, onPick: end },
      ]}
    />`}
  </span>`
}

/** The bar that says that the sign-in has ended, while what runs goes on. */
function SignedOut() {
  const out = useCell(signedOut)
  const [asks, setAsks] = useState(false)
  if (!out) return null
  return html`<${Notice}
      icon="key"
      title="You were signed out."
      action=${html`<button type="button" class="button small" onClick=${() => setAsks(true)}>Sign in</button>`}
      >A recording that runs goes on.<//
    >
    ${asks && html`<${Dialog} title="Which key?" onClose=${() => setAsks(false)}><${SignIn} onDone=${() => setAsks(false)} /><//>`}`
}

function LiveRegion() {
  return html`<p class="unseen" aria-live="polite">${useCell(announcement)}</p>`
}
