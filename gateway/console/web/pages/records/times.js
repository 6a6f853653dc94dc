// The times of all utterances of a record, as its outline has them.

/** @typedef {{ start: number[], end: number[], channel: number[], speaker: number[], characters: number[] }} Times */

/** The number of the utterance that is said at a time, or was last; -1 before the first. */
export function utteranceAt(times, seconds) {
  let low = 0
  let high = times.start.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times.start[middle] <= seconds + 0.001) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The voice of an utterance: its speaker, else its channel. */
export function voiceAt(times, n) {
  return times.speaker[n] >= 0
    ? { n: times.speaker[n], name: `Speaker ${times.speaker[n] + 1}` }
    : { n: times.channel[n], name: `Channel ${times.channel[n] + 1}` }
}

/** All voices with the seconds that they speak, by their numbers. */
export function voicesOf(times) {
  const by = new Map()
  for (let n = 0; n < times.start.length; n++) {
    const voice = voiceAt(times, n)
    const known = by.get(voice.name) ?? { ...voice, seconds: 0 }
    known.seconds += times.end[n] - times.start[n]
    by.set(voice.name, known)
  }
  return [...by.values()].sort((a, b) => a.n - b.n)
}

/** Whether an utterance begins a turn: another voice spoke before it. */
export const beginsTurn = (times, n) => n === 0 || times.speaker[n] !== times.speaker[n - 1] || times.channel[n] !== times.channel[n - 1]
