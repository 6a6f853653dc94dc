import { Icon } from '../../components/icon.js'
import { html } from '../../html.js'
import { useCell } from '../../lib/cell.js'
import { models, sample } from '../../lib/status.js'
import { whereItGoes } from './privacy.js'

/** What stands on the pad before the first word. */
export function Hello({ running, options, onFile, onSample }) {
  const playable = useCell(sample)
  const known = useCell(models)
  return html`<div class="hello">
    <div>
      <h1>Say something. Words settle <em>as you go on</em><span class="caret" aria-hidden="true"></span></h1>
      <p>Pale words may still change; the others are final. ${whereItGoes(known, options)}</p>
      ${!running &&
      html`<div class="row">
        <button type="button" class="button" onClick=${onFile}><${Icon} name="file" />Use a recording</button>
        ${playable && html`<button type="button" class="button" onClick=${onSample}><${Icon} name="play" />Play the sample</button>`}
        <span class="dim second wide"><kbd>Space</kbd>  talk and stop</span>
      </div>`}
    </div>
  </div>`
}
