import { h } from 'preact'
import htm from 'htm'

/** Templates for components: html`<p class="dim">${text}</p>`. */
export const html = htm.bind(h)
