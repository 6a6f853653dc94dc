import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../components/icon.js'
import { Notice } from '../../components/notice.js'
import { html } from '../../html.js'
import { useCell } from '../../lib/cell.js'
import { engineName, engineTrouble } from '../../lib/engines.js'
import { language, listed } from '../../lib/format.js'
import { models } from '../../lib/status.js'
import { current, delays, outage, phase, reconnected, silent, trouble } from './recording.js'

const lateFrom = 2000 // ms that finals take

/** One bar at a time, the most urgent one: what failed, the connection, the microphone, lateness. */
export function Bars({ options, onFile, onTalk }) {
  const failed = useCell(trouble)
  const lost = useCell(outage)
  const again = useCell(reconnected)
  const nothing = useCell(silent)
  const { final } = useCell(delays)
  const known = useCell(models)
  const state = useCell(phase)
  if (failed) return html`<${Trouble} ...${failed} onFile=${onFile} onTalk=${onTalk} />`
  if (lost) return html`<${Lost} ...${lost} />`
  if (again !== null) return html`<${Notice} title="Connected again.">Nothing was lost${again >= 0.1 && `: ${again.toFixed(1)} s were sent again`}.<//>`
  const engine = ['idle', 'recording'].includes(state) && engineTrouble(known, current?.request.model ?? options.model, current?.request.language_config?.languages ?? options.languages)
  if (engine?.is === 'none') return html`<${NoEngine} languages=${engine.languages} running=${state === 'recording'} />`
  if (nothing) {
    const name = current?.source?.label
    return html`<${Notice} kind="warn" icon="microphone" title=${`Nothing comes from ${name ? `“${name}”` : 'the microphone'}.`}
      >It may be muted, or it may be another one that you speak into.<//
    >`
  }
  if (engine?.is === 'stand-in') {
    return html`<${Notice} kind="warn" icon="unplugged" title=${`Engine ${engine.away} is away.`}>
      ${engineName(engine.by)} stands in, so expect more wrong words.${state === 'recording' && ' The session goes on.'}
    <//>`
  }
  if (final > lateFrom && state === 'recording') {
    return html`<${Notice} kind="warn" title="Finals are late.">The engine is busy with other sessions; partials are thinned out first. No words are lost.<//>`
  }
  return null
}

function NoEngine({ languages, running }) {
  const title = `No engine${languages.length > 0 ? ` for ${listed(languages.map(language))}` : ''} at the moment.`
  if (running) return html`<${Notice} kind="bad" icon="unplugged" title=${title}>Audio is kept. Words come when it is back; what waits too long stays without words.<//>`
  return html`<${Notice} kind="bad" icon="unplugged" title=${title}>What is said now is kept, and has words once it is back.<//>`
}

function Lost({ kept, next }) {
  const when = next === null ? 'Trying now.' : `Trying again in ${Math.ceil(next / 1000)} s.`
  const action = html`<button type="button" class="button small" onClick=${() => current.session.retryNow()}><${Icon} name="again" />Try now</button>`
  return html`<${Notice} kind="warn" icon="unplugged" title="Connection lost." action=${action}
    >Keep talking: ${kept.toFixed(1)} s are kept here and go out when it is back. ${when}<//
  >`
}

/** What failed, with what one can do: again is the time in seconds after which another attempt is worth it. */
function Trouble({ kind, icon, title, text, action, again = 0, onFile, onTalk }) {
  const [left, setLeft] = useState(again)
  useEffect(() => setLeft(again), [title, again])
  useEffect(() => {
    if (left <= 0) return undefined
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  let button = null
  if (action === 'file') button = html`<button type="button" class="button small" onClick=${onFile}><${Icon} name="file" />Choose a recording</button>`
  else if (action === 'sessions') button = html`<a class="button small" href="#/sessions">Sessions</a>`
  else if (again > 0) button = html`<button type="button" class="button small" disabled=${left > 0} onClick=${onTalk}>${left > 0 ? `Try again in ${left} s` : 'Try again'}</button>`
  return html`<${Notice} kind=${kind} icon=${icon} title=${title} action=${button}>${text}<//>`
}
