import { median } from '../../lib/format.js'

const kept = 20 // delays of which the median is shown
const mostMarks = 4000 // chunks of audio that are remembered, 200 s of 50 ms

/**
 * How long acks, partials and finals take. Acks count from when the audio they confirm was given to the client, transcripts from when
 * their last word was heard: the clock of the audio is tied to that of the page by each chunk.
 */
export class Timing {
  #marks = [] // { end: bytes since the beginning, at: performance.now }
  #delays = { ack: [], partial: [], final: [] }

  /** @param {number} rate bytes of audio a second */
  constructor(rate) {
    this.rate = rate
  }

  /** The audio up to a position has been heard now. */
  heard(end, at = performance.now()) {
    this.#marks.push({ end, at })
    if (this.#marks.length > mostMarks) this.#marks.splice(0, mostMarks / 2)
  }

  acked(end, at = performance.now()) {
    this.#add('ack', end, at)
  }

  /** kind is "partial" or "final"; seconds is where its last word ends. */
  said(kind, seconds, at = performance.now()) {
    this.#add(kind, seconds * this.rate, at)
  }

  /** What was measured before a connection was lost says nothing about the next. */
  forget() {
    this.#marks = []
    this.#delays = { ack: [], partial: [], final: [] }
  }

  /** Medians in ms, null where nothing is known. */
  get medians() {
    const { ack, partial, final } = this.#delays
    return { ack: median(ack), partial: median(partial), final: median(final) }
  }

  #add(kind, end, at) {
    const mark = this.#find(end)
    if (!mark) return
    const list = this.#delays[kind]
    list.push(Math.max(0, at - mark.at))
    if (list.length > kept) list.shift()
  }

  /** The first mark at or after a position. */
  #find(end) {
    let low = 0
    let high = this.#marks.length
    if (high === 0 || end < this.#marks[0].end - this.rate) return undefined // it was heard before all that is remembered
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#marks[middle].end < end) low = middle + 1
      else high = middle
    }
    return this.#marks[low]
  }
}
