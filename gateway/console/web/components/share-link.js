import { useEffect, useRef, useState } from 'preact/hooks'
import { html } from '../html.js'
import { api, base } from '../lib/api.js'
import { language } from '../lib/format.js'
import { href } from '../lib/router.js'
import { Command } from './copy.js'
import { Float } from './float.js'
import { Icon } from './icon.js'
import { Select } from './select.js'

const lifetimes = [
  { value: '3600', label: 'in an hour' },
  { value: '28800', label: 'in 8 hours' },
  { value: '86400', label: 'in 24 hours' },
]

/** The tokens of links that this page has made, by session and lifetime, so that opening the popover again makes no other. */
const made = new Map()

/**
 * A button that makes a link to the captions of a session, for people who have no key.
 * @param {{ session: string, languages?: string[], class?: string }} props languages are those it is translated into
 */
export function ShareLink({ session, languages = [], class: kind = 'quiet small' }) {
  const [open, setOpen] = useState(false)
  const anchor = useRef(null)
  return html`<button type="button" class=${`button ${kind}`} ref=${anchor} aria-haspopup="dialog" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      <${Icon} name="link" />Share
    </button>
    ${open &&
    html`<${Float} anchor=${anchor} align="end" width="min(400px, calc(100vw - 24px))" role="dialog" label="Captions for an audience" class="wide-body" onClose=${() => setOpen(false)}>
      <${Link} session=${session} languages=${languages} />
    <//>`}`
}

/** The token of a session's link: undefined until it is made, null once it was withdrawn. */
function useToken(session, lifetime) {
  const name = `${session} ${lifetime}`
  const [token, setToken] = useState(made.get(name))
  const [problem, setProblem] = useState(null)
  const make = () =>
    api(`v2/live/${session}/subscribers`, { method: 'POST', json: { name: 'captions', lifetime: Number(lifetime), receive_partial_transcripts: true } }).then((t) => {
      made.set(name, t)
      setProblem(null)
      setToken(t)
    }, setProblem)
  const withdraw = () =>
    api(`v2/tokens/${token.id}`, { method: 'DELETE' }).then(() => {
      made.delete(name)
      setToken(null)
    }, setProblem)
  useEffect(() => {
    setToken(made.get(name))
    if (!made.has(name)) make()
  }, [name])
  return { token, problem, make, withdraw }
}

function Link({ session, languages }) {
  const [lifetime, setLifetime] = useState('86400')
  const [spoken, setSpoken] = useState('')
  const { token, problem, make, withdraw } = useToken(session, lifetime)
  if (problem?.status === 403) return html`<p class="mid">Links are made by whoever signed in with a key that may read. Yours may not: ${problem.message}.</p>`
  if (problem) return html`<p class="mid">That did not work: ${problem.message}.</p>`
  if (token === null) {
    return html`<div class="share-link">
      <h2>The link was withdrawn.</h2>
      <p>It leads nowhere any more. Whoever was reading along is cut off within two seconds.</p>
      <button type="button" class="button" onClick=${make}>Make another link</button>
    </div>`
  }
  const link = token && base + 'console' + href(['share', session], { token: token.token, language: spoken })
  const options = [{ value: '', label: 'as it is spoken' }, ...languages.map((code) => ({ value: code, label: language(code) }))]
  return html`<div class="share-link">
    <h2>Captions for an audience</h2>
    <p>Whoever has the address reads along, in large type. They hear nothing and change nothing.</p>
    ${link ? html`<${Command} text=${link} />` : html`<div class="command"></div>`}
    <div class="two">
      ${languages.length > 0 && html`<div class="field"><span class="name" aria-hidden="true">Opens in</span><${Select} label="Opens in" value=${spoken} options=${options} onChange=${setSpoken} /></div>`}
      <div class="field"><span class="name" aria-hidden="true">Ends</span><${Select} label="Ends" value=${lifetime} options=${lifetimes} onChange=${setLifetime} /></div>
    </div>
    <div class="row"><a class="button primary grow" href=${link} target="_blank" rel="noreferrer">Open</a><button type="button" class="button danger" disabled=${!token} onClick=${withdraw}>Withdraw</button></div>
  </div>`
}
