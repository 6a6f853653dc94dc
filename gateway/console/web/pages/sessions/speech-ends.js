const most = 60 // finals whose delays are kept

/** How long finals took from the end of their speech, as the times of the messages tell: that is known of sessions on any node. */
export class SpeechEnds {
  /** @type {{ id: string, seconds: number }[]} the newest last */
  finals = []
  #ends = [] // { channel, time, at } of speech that has ended, at in ms since 1970

  /** Takes a message of the session. */
  take({ type, data, created_at: stamp }) {
    if (type === 'speech_end') {
      this.#ends.push({ channel: data.channel, time: data.time, at: Date.parse(stamp) })
      if (this.#ends.length > most) this.#ends.shift()
    } else if (type === 'transcript' && data.is_final) {
      this.#final(data, Date.parse(stamp))
    }
  }

  #final({ id, utterance: u }, at) {
    const end = this.#ends.find((e) => e.channel === u.channel && e.time >= u.end - 0.3)
    if (!end || this.finals.some((f) => f.id === id)) return
    this.finals.push({ id, seconds: Math.max(0, at - end.at) / 1000 })
    if (this.finals.length > most) this.finals.shift()
  }
}
