import { cell } from './cell.js'

/** What the page's one polite live region says. Only finals and what ended or began belong here. */
export const announcement = cell('')

/** Has screen readers say a sentence when they are done with what they say. */
export function announce(text) {
  announcement.set('')
  setTimeout(() => announcement.set(text), 50) // a region that says the same again must change
}
