import { html } from '../html.js'
import { Dialog } from './dialog.js'

const list = [
  [['Space'], 'Talk, stop; in a record play, pause'],
  [['o', 'm', 'c'], 'Options, messages, code'],
  [['End'], 'Go to live and follow'],
  [['←', '→'], '5 seconds back, on; with Shift an utterance'],
  [['/'], 'Search'],
  [['g', 't'], 'Go to Talk; with s, r, l to the others'],
  [['Esc'], 'Close what is open'],
  [['?'], 'These keys'],
]

/** The list of shortcuts. */
export function Keys({ onClose }) {
  return html`<${Dialog} title="Keys" onClose=${onClose} actions=${html`<button type="button" class="button" autofocus onClick=${onClose}>Close</button>`}>
    <dl class="keys">${list.map(([keys, does]) => html`<dt>${keys.map((k) => html`<kbd>${k}</kbd>`)}</dt><dd>${does}</dd>`)}</dl>
  <//>`
}
