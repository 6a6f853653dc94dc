import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../components/icon.js'
import { Segments } from '../../components/segments.js'
import { html } from '../../html.js'
import { Code } from './code.js'
import { Messages } from './messages.js'
import { Options } from './options-panel.js'

const tabs = [
  { value: 'options', label: 'Options' },
  { value: 'messages', label: 'Messages' },
  { value: 'code', label: 'Code' },
]

/** The panel beside the pad; over it where there is no room, and a sheet on phones. */
export function Panel({ tab, onTab, onClose, options, onOptions }) {
  const element = useRef(null)
  useEffect(() => {
    if (getComputedStyle(element.current).position === 'fixed') element.current.querySelector('[aria-selected="true"]').focus({ preventScroll: true })
  }, [])
  return html`<aside class="panel" aria-label="Side panel" ref=${element}>
    <div class="panel-head">
      <${Segments} class="tabs" label="Side panel" value=${tab} options=${tabs} onChange=${onTab} />
      <button type="button" class="button quiet small only" aria-label="Close panel" onClick=${onClose}><${Icon} name="close" /></button>
    </div>
    ${tab === 'options' && html`<${Options} options=${options} onOptions=${onOptions} />`} ${tab === 'messages' && html`<${Messages} />`}
    ${tab === 'code' && html`<${Code} options=${options} />`}
  </aside>`
}
