import { useEffect } from 'preact/hooks'
import { Empty } from './components/empty.js'
import { mainPages, Shell } from './components/shell.js'
import { html } from './html.js'
import { useCell } from './lib/cell.js'
import { route } from './lib/router.js'
import { away, findUser, user } from './lib/sign-in.js'
import { Load } from './pages/load/load.js'
import { Away, Login } from './pages/login/login.js'
import { Records } from './pages/records/records.js'
import { Sessions } from './pages/sessions/sessions.js'
import { Share } from './pages/share/share.js'
import { Talk } from './pages/talk/talk.js'

// Each page is given the rest of its address and the query: #/records/ID?at=12 → { rest: ['ID'], query }.
const pages = { talk: Talk, sessions: Sessions, records: Records, load: Load }

/** The console: the captions of a share link, the log-in, or a page within the shell. */
export function App() {
  const at = useCell(route)
  const who = useCell(user)
  const unreachable = useCell(away)
  const shared = at.page === 'share'
  const bare = shared || !who
  useEffect(() => {
    if (!shared) findUser()
  }, [shared])
  useEffect(() => {
    document.body.classList.toggle('bare', bare)
    const title = shared ? 'Captions' : who ? mainPages.find((p) => p.name === at.page)?.title : 'Sign in'
    document.title = title ? `${title} · steno` : 'steno'
  }, [bare, at.page])
  if (shared) return html`<${Share} rest=${at.rest} query=${at.query} />`
  if (unreachable && !who) return html`<${Away} />`
  if (who === undefined) return null
  if (who === null) return html`<${Login} />`
  const page = pages[at.page] ?? Nowhere
  return html`<${Shell}><${page} rest=${at.rest} query=${at.query} /><//>`
}

function Nowhere() {
  const actions = html`<a class="button" href="#/talk">Talk</a>`
  return html`<main class="page" id="main" tabindex="-1"><${Empty} title="There is no such page." page actions=${actions}>The address may have been cut short.<//></main>`
}
