import { html } from '../../html.js'
import { clock } from '../../lib/format.js'

/** What was made of the whole when it had ended: summary and chapters, below the words. */
export function Afterword({ summary, chapters }) {
  return html`<section class="afterword">
    ${summary &&
    html`<h2>Summary</h2>
      <p>${summary.error ? `There is none: ${summary.error}.` : summary.text || 'Too little was said for one.'}</p>`}
    ${chapters &&
    html`<h2>Chapters</h2>
      ${chapters.error
        ? html`<p>There are none: ${chapters.error}.</p>`
        : html`<ol>${chapters.list.map((c) => html`<li key=${c.start}><time>${clock(c.start)}</time> ${c.headline}</li>`)}</ol>`}`}
  </section>`
}
