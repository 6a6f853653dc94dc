import { html } from '../html.js'

/**
 * What stands in place of something that is not there, or has failed for good.
 * @param {{ title: string, children?: any, actions?: any, page?: boolean }} props page: it is all that the page has to say.
 */
export function Empty({ title, children, actions, page = false }) {
  return html`<div class="empty">
    ${page ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`}
    ${children && html`<p>${children}</p>`} ${actions && html`<div class="row">${actions}</div>`}
  </div>`
}
