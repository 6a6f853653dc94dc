import { useEffect, useRef, useState } from 'preact/hooks'
import { Command } from '../../components/copy.js'
import { Icon } from '../../components/icon.js'
import { html } from '../../html.js'
import { signIn } from '../../lib/sign-in.js'

/** What is said of a key that was not taken. */
function reasonOf(problem, seconds) {
  if (problem.status === 401) return 'This key is not known here. Perhaps it was removed, or it belongs to another machine.'
  if (problem.status === 403) return 'This is a token. Signing in takes a key: tokens are made with one and allow less.'
  if (problem.status === 429) return `Too many wrong keys came from here. Try again in ${seconds} s.`
  if (problem.status === 0) return 'steno does not answer. It may be starting again, which takes a few seconds.'
  return problem.message
}

/** The form that exchanges a key for a cookie. A key that was refused stays, selected, and nothing keeps it after that. */
export function SignIn({ onDone }) {
  const field = useRef(null)
  const [problem, setProblem] = useState(null)
  const [seconds, setSeconds] = useState(0)
  const [busy, setBusy] = useState(false)
  useEffect(() => field.current.focus(), [])
  useEffect(() => {
    if (seconds <= 0) return undefined
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [seconds])
  useEffect(() => {
    if (problem) field.current.select()
  }, [problem])
  const submit = async (e) => {
    e.preventDefault()
    const key = field.current.value.trim()
    if (key === '' || busy || seconds > 0) return field.current.focus()
    setBusy(true)
    try {
      await signIn(key)
      onDone?.()
    } catch (refused) {
      setProblem(refused)
      setSeconds(refused.retryAfter ?? 0)
    } finally {
      setBusy(false)
    }
  }
  return html`<form class="sign-in" onSubmit=${submit}>
    <label class="field">
      <span class="name">Key</span>
      <input
        class="input"
        type="password"
        autocomplete="current-password"
        spellcheck=${false}
        ref=${field}
        aria-invalid=${problem ? 'true' : null}
        aria-describedby=${problem ? 'refused' : null}
      />
    </label>
    ${problem && html`<p class="refused" id="refused" role="alert"><${Icon} name="warning" /><span>${reasonOf(problem, seconds)}</span></p>`}
    <button class="button primary">${seconds > 0 ? `Try again in ${seconds} s` : 'Sign in'}</button>
    <p class="second dim">Kept for 12 hours in a cookie that scripts cannot read.</p>
    <p class="second mid no-key">No key yet? On the machine, in the folder where the gateway was started, or with its --data, --valkey or --config:</p>
    <${Command} text='steno keys add "front desk"' />
  </form>`
}
