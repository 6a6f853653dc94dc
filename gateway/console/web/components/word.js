import { html } from '../html.js'

/** Below it a word is marked as one that may be wrong. 0 says that the confidence is not known. */
export const lowConfidence = 0.7

/**
 * A word of an utterance.
 * @param {{ word: { word: string, start: number, end: number, confidence: number }, now?: boolean, hit?: boolean, final?: boolean }} props
 *   now: it is being played; hit: it was searched for
 */
export function Word({ word, now = false, hit = false, final = true }) {
  const low = final && word.confidence > 0 && word.confidence < lowConfidence
  const text = word.word.trim()
  return html`<span
    class=${`word${low ? ' low' : ''}${now ? ' now' : ''}`}
    data-start=${word.start}
    data-tip=${low ? `confidence ${word.confidence.toFixed(2)}` : null}
    tabindex=${low ? 0 : null}
    >${hit ? html`<mark class="hit">${text}</mark>` : text}</span
  >`
}
