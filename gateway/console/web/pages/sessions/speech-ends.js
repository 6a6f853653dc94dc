const most = 60 // finals whose delays are kept

/**
 * How long finals took from the end of their speech, as the times of the messages tell: that is known of sessions on any node. Audio is
 * taken to be sent as it is spoken.
 */
export class SpeechEnds {
  /** @type {{ id: string, seconds: number }[]} the newest last */
  finals = []
  #origin = Infinity // when the session's audio began, in ms since 1970, at the latest
  #ends = [] // { channel, time } of speech that has ended
  #open = [] // { id, channel, end, at } of finals before the end of their speech

  /** Takes a message of the session. */
  take({ type, data, created_at: stamp }) {
    const at = Date.parse(stamp)
    if (type === 'speech_start') {
      this.#origin = Math.min(this.#origin, at - data.time * 1000)
    } else if (type === 'speech_end') {
      this.#ends = [...this.#ends, data].slice(-most)
    } else if (type === 'transcript' && data.is_final && !this.finals.some((f) => f.id === data.id)) {
      this.#open = [...this.#open, { id: data.id, channel: data.utterance.channel, end: data.utterance.end, at }].slice(-most)
    } else {
      return
    }
    this.#open = this.#open.filter((final) => !this.#measured(final))
  }

  #measured({ id, channel, end, at }) {
    const speech = this.#ends.find((e) => e.channel === channel && e.time >= end - 0.3)
    if (!speech || this.#origin === Infinity) return false
    this.finals = [...this.finals, { id, seconds: Math.max(0, at - this.#origin - speech.time * 1000) / 1000 }].slice(-most)
    return true
  }
}
