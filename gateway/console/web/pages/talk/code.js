import { Copy } from '../../components/copy.js'
import { Segments } from '../../components/segments.js'
import { html } from '../../html.js'
import { base } from '../../lib/api.js'
import { usePreference } from '../../lib/preferences.js'
import { requestOf } from './options.js'
import { current, phase } from './recording.js'
import { samples, textOf } from './samples.js'

const languages = [
  { value: 'javascript', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
  { value: 'curl', label: 'curl' },
]

/** This session from somebody's own program: the exact body, with what was chosen marked. The key is never in it. */
export function Code({ options }) {
  const [tongue, setTongue] = usePreference('talk.tongue', 'javascript')
  const request = phase.get() === 'idle' || !current ? requestOf(options) : current.request
  const pieces = samples[tongue](request, base.replace(/\/$/, ''))
  return html`<div class="panel-body">
      <div class="options">
        <${Segments} label="Language of the sample" value=${tongue} options=${languages} onChange=${setTongue} />
        <p class="mid">This session, from your own program. What you chose under Options is marked.</p>
        <pre class="code" tabindex="0">${pieces.map((p) => (p.text ? html`<em>${p.text}</em>` : p))}</pre>
        <p class="hint">In a browser, <a href="client.js" target="_blank" rel="noreferrer">/client.js</a> does the same without a package. Keys stay on your server: pass the address of the session on instead.</p>
      </div>
    </div>
    <div class="panel-foot"><span class="grow">Key: <span class="mono">$KEY</span></span><${Copy} text=${textOf(pieces)} class="primary small" /></div>`
}
