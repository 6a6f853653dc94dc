import { html } from '../html.js'
import { Icon } from './icon.js'

/**
 * A bar that says what is so, what happens to the words, and what one can do.
 * @param {{ kind?: 'warn' | 'bad', icon?: string, title: string, children?: any, action?: any, box?: boolean }} props
 *   action is one button or link; box draws edges all around, for a notice inside a page.
 */
export function Notice({ kind = '', icon = kind ? 'warning' : 'check', title, children, action, box = false }) {
  return html`<div class=${`notice ${kind} ${box ? 'box' : ''}`} role=${kind === 'bad' ? 'alert' : 'status'}>
    <${Icon} name=${icon} />
    <p><strong>${title}</strong> ${children}</p>
    ${action}
  </div>`
}
