const most = 5000 // messages that are kept; the oldest go first

/** The kinds of messages that the filters of the panel are about. */
export const groups = ['Transcripts', 'Speech', 'Add-ons', 'Acks', 'Lifecycle']

function groupOf(type) {
  if (type === 'transcript') return 'Transcripts'
  if (type === 'speech_start' || type === 'speech_end') return 'Speech'
  if (type === 'audio_chunk' || type === 'stop_recording') return 'Acks'
  if (/^(start|end)_/.test(type) || type === 'error' || type === 'sent' || type === 'closed') return 'Lifecycle'
  return 'Add-ons'
}

/** Every message of a session, as it came and as it was sent. */
export class Log {
  /** @type {{ n: number, at: number, up: boolean, type: string, group: string, text: string, partial: boolean }[]} the newest last; at in seconds since the beginning */
  entries = []
  received = 0
  acks = 0
  #next = 0
  #begun = performance.now()

  /** Takes a message of the gateway. */
  take(text, message, at = performance.now()) {
    this.received++
    if (message.type === 'audio_chunk') this.acks++
    this.#add({ at, up: false, type: message.type, text, partial: message.type === 'transcript' && !message.data.is_final })
  }

  /** Notes what this side did: "sent" a request, or a socket that "closed". */
  note(type, value) {
    this.#add({ at: performance.now(), up: type === 'sent', type, text: JSON.stringify(value), partial: false })
  }

  /** All of it as JSON, a message a line. */
  lines() {
    return this.entries.map((e) => e.text).join('\n') + '\n'
  }

  #add(entry) {
    this.entries = [...this.entries.slice(this.entries.length >= most ? most / 10 : 0), { ...entry, n: this.#next++, at: (entry.at - this.#begun) / 1000, group: groupOf(entry.type) }]
  }
}
