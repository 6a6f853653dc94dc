import { html } from '../html.js'

/** A switch. label is its name for screen readers. */
export function Toggle({ label, on, onChange, disabled = false, describedby }) {
  return html`<button
    type="button"
    class="toggle"
    role="switch"
    aria-checked=${on}
    aria-label=${label}
    aria-describedby=${describedby}
    disabled=${disabled}
    onClick=${() => onChange(!on)}
  ></button>`
}
