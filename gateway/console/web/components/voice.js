import { html } from '../html.js'

const voices = 8

/** The class that gives speaker or channel n, counted from 0, its colour. */
export const voiceClass = (n) => `voice-${(n % voices) + 1}`

/** A speaker or a channel, with its colour. name is "Speaker 1" where nothing better is known. */
export function Voice({ n, name = `Speaker ${n + 1}` }) {
  return html`<span class=${`voice ${voiceClass(n)}`}>${name}</span>`
}
