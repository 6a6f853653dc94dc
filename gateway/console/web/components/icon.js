import { html } from '../html.js'

// Drawn on 16 × 16 with a stroke of 1.5. "solid" parts are filled.
const drawings = {
  microphone: html`<rect x="5.5" y="1.5" width="5" height="8.5" rx="2.500" /><path d="M3 7.750a5 5 0 0 0 10 0M8 12.750v1.750" />`,
  sessions: html`<path d="M2.250 6.250v3.500M5.100 3.750v8.500M8 5.750v4.500M10.900 2.500v11M13.750 6.250v3.500" />`,
  records: html`<path d="M2.750 3.750h10.500M2.750 8h10.500M2.750 12.250H9" />`,
  load: html`<path d="M2 13.750h12M2.500 11.250c5.250 0 8-2 10.250-8" />`,
  theme: html`<circle cx="8" cy="8" r="5.500" /><path class="solid" d="M8 2.500a5.500 5.500 0 0 1 0 11z" />`,
  key: html`<circle cx="5.250" cy="10.750" r="2.750" /><path d="m7.200 8.800 6.050-6.050M10.750 5.250l2 2" />`,
  close: html`<path d="m4 4 8 8m0-8-8 8" />`,
  down: html`<path d="m4 6.250 4 4 4-4" />`,
  right: html`<path d="m6 4 4 4-4 4" />`,
  left: html`<path d="m10 4-4 4 4 4" />`,
  check: html`<path d="m3 8.500 3.250 3.250 6.750-7.500" />`,
  copy: html`<rect x="5.250" y="5.250" width="8" height="8" rx="1.500" /><path d="M10.500 5.250v-1.500a1.250 1.250 0 0 0-1.250-1.250h-5.250A1.250 1.250 0 0 0 2.750 3.750V9A1.250 1.250 0 0 0 4 10.250h1.250" />`,
  link: html`<path d="M6.500 9.500a2.750 2.750 0 0 0 3.900 0l2.300-2.300a2.750 2.750 0 0 0-3.900-3.900l-.9.900M9.500 6.500a2.750 2.750 0 0 0-3.900 0L3.300 8.800a2.750 2.750 0 0 0 3.900 3.900l.9-.9" />`,
  size: html`<path d="m2 12.500 3.750-9.250L9.500 12.500M3.250 9.500h5M10.250 12.500l2-4.750 2 4.750M10.900 11h2.700" />`,
  options: html`<path d="M2.250 5h6M12 5h1.750M2.250 11H4m3.500 0h6.250" /><circle cx="10.250" cy="5" r="1.750" /><circle cx="5.750" cy="11" r="1.750" />`,
  warning: html`<path d="M8 2.250 1.750 13.250h12.500zM8 6.500v3M8 11.400v.01" />`,
  unplugged: html`<path d="M5.750 1.750v3m4.500-3v3M3.750 4.750h8.500v2.750a4.250 4.250 0 0 1-8.500 0zM8 11.750v2.500" />`,
  again: html`<path d="M13.250 2.750v3.500h-3.500M12.900 6A5.400 5.400 0 1 0 13.400 8.750" />`,
  file: html`<path d="M9.250 1.750h-5a1 1 0 0 0-1 1v10.500a1 1 0 0 0 1 1h7.500a1 1 0 0 0 1-1v-8zM9.250 1.750v3.500h3.500" />`,
  play: html`<path class="solid" d="M5 3.250v9.500L12.500 8z" />`,
  pause: html`<path class="solid" d="M4.500 3.250h2.250v9.500H4.500zM9.250 3.250h2.250v9.500H9.250z" />`,
  globe: html`<circle cx="8" cy="8" r="5.750" /><path d="M2.250 8h11.500M8 2.250c3.200 3.400 3.200 8.100 0 11.500M8 2.250c-3.200 3.400-3.200 8.100 0 11.500" />`,
  lock: html`<rect x="3.250" y="7" width="9.500" height="6.750" rx="1.500" /><path d="M5.250 7V5a2.750 2.750 0 0 1 5.500 0v2" />`,
  download: html`<path d="M8 2.250v8M4.750 7.250 8 10.500l3.250-3.250M2.750 13.500h10.500" />`,
  search: html`<circle cx="7" cy="7" r="4.250" /><path d="m10.250 10.250 3.500 3.500" />`,
  trash: html`<path d="M2.750 4.250h10.500M6 4.250V2.500h4v1.750M4.250 4.250l.6 9h6.300l.6-9M6.750 7v3.750M9.250 7v3.750" />`,
  more: html`<path class="solid" d="M3.500 7.250h.01v1.500H3.500zM8 7.250h.01v1.500H8zM12.500 7.250h.01v1.500h-.01z" />`,
  disk: html`<path d="M2.500 9.500h11v4h-11zM2.500 9.500 4.250 2.750h7.500L13.500 9.500M11 11.500h.01" />`,
  up: html`<path d="m4 9.750 4-4 4 4" />`,
  plus: html`<path d="M8 3v10M3 8h10" />`,
}

/** A drawing beside words, or in a control that has a name: screen readers do not see it. */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${drawings[name]}</svg>`
}
