import { html } from '../html.js'
import { moveFocus } from '../lib/focus.js'

/**
 * A choice of one out of few, shown side by side.
 * @param {{ label: string, value: string, options: { value: string, label: any }[], onChange: (value: string) => void, class?: string }} props
 *   class "tabs" draws the tabs of a panel.
 */
export function Segments({ label, value, options, onChange, class: kind = 'segments' }) {
  return html`<div class=${kind} role="tablist" aria-label=${label} onKeyDown=${(e) => moveFocus(e, '[role="tab"]')}>
    ${options.map(
      (o) => html`<button
        key=${o.value}
        type="button"
        role="tab"
        aria-selected=${o.value === value}
        tabindex=${o.value === value ? 0 : -1}
        onClick=${() => onChange(o.value)}
      >
        ${o.label}
      </button>`,
    )}
  </div>`
}
