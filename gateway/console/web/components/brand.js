import { html } from '../html.js'

/** The name with its stroke of shorthand, as a link to the first page. */
export function Brand() {
  return html`<a class="brand" href="#/talk"
    ><svg class="icon" viewBox="0 0 26 18" aria-hidden="true"
      ><path d="M1.500 11.500C4 4.400 7.200 3.500 7.600 7c.4 3.700-2.700 7.700-3.700 5.900C2.600 10.600 9 6.800 12.100 8.700c2.200 1.400 1.100 4.100 3.600 4.100 3.200 0 4.300-9.400 8.800-10" /></svg
    >steno</a
  >`
}
