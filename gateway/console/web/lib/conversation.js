// What the messages of a session make of it: utterances with what belongs to them, speech, dividers.

const mostSpeech = 400 // stretches of speech that are remembered, for the strip

/**
 * @typedef {object} Item what stands on the pad: an utterance with its id, or a divider
 * @property {string} id
 * @property {'partial' | 'settling' | 'final' | 'divider'} state
 * @property {object} [utterance]
 * @property {object[]} [entities]
 * @property {string} [mood] "negative, frustrated"; empty for a neutral one
 * @property {{ language: string, text?: string, error?: string }[]} [translations]
 * @property {string} [text] of a divider
 * An item is never changed: another one takes its place, so that components can compare them.
 */

/** A conversation as its messages tell it. take each of them; repeated ones change nothing. */
export class Conversation {
  /** @type {Item[]} in the order of their beginning */
  items = []
  /** How many finals have come. */
  finals = 0
  /** @type {{ channel: number, start: number, end: number | null }[]} seconds */
  speech = []
  /** @type {number[]} where utterances ended, in seconds */
  ends = []
  /** Channels and speakers that were heard; with one of each nobody needs a name. */
  voices = new Set()
  #dividers = 0
  /** The summary and the chapters, once they have come. */
  summary = null
  chapters = null

  /** Takes a message and tells what it changed: "final", "partial", "other" or "" for nothing that is shown. */
  take(message) {
    const { type, data } = message
    switch (type) {
      case 'transcript':
        return this.#transcript(data)
      case 'speech_start':
        this.speech.push({ channel: data.channel, start: data.time, end: null })
        if (this.speech.length > mostSpeech) this.speech.shift()
        return ''
      case 'speech_end':
        return this.#endSpeech(data)
      case 'named_entity_recognition':
        return data ? this.#add(data.utterance_id, { entities: data.results }) : ''
      case 'sentiment_analysis':
        return data ? this.#add(data.utterance_id, { mood: moodOf(data.results) }) : ''
      case 'translation':
        return this.#translation(data, message.error)
      case 'post_summarization':
        this.summary = { text: data?.results ?? null, error: message.error?.message ?? null }
        return 'other'
      case 'post_chapterization':
        this.chapters = { list: data?.results ?? [], error: message.error?.message ?? null }
        return 'other'
    }
    return ''
  }

  /** Draws a line across the pad, such as "connection lost, 3.4 s sent again". */
  divide(text) {
    let to = this.items.length // what is being said goes on below it
    while (to > 0 && this.items[to - 1].state === 'partial') to--
    this.items = this.items.toSpliced(to, 0, { id: `divider ${this.#dividers++}`, state: 'divider', text })
  }

  /** All finals as text, an utterance a line. */
  text() {
    return this.items
      .filter((i) => i.utterance && i.state !== 'partial')
      .map((i) => i.utterance.text.trim())
      .join('\n')
  }

  /** Partials that will not be followed any more are taken away: the session has ended. */
  end() {
    this.items = this.items.filter((i) => i.state !== 'partial')
    for (const s of this.speech) s.end ??= s.start
  }

  #transcript({ id, is_final, utterance }) {
    const at = this.items.findLastIndex((i) => i.id === id)
    const before = this.items[at]
    if (before && before.state !== 'partial') return '' // repeated, or late
    const item = { ...before, id, utterance, state: !is_final ? 'partial' : before ? 'settling' : 'final' }
    this.#put(at, item)
    if (!is_final) return 'partial'
    this.finals++
    this.voices.add(`${utterance.channel} ${utterance.speaker ?? ''}`)
    this.ends.push(utterance.end)
    if (this.ends.length > mostSpeech) this.ends.shift()
    return 'final'
  }

  #put(at, item) {
    const items = [...this.items]
    if (at >= 0) {
      items[at] = item
    } else {
      let to = items.length // channels take turns: what began earlier stands before
      while (to > 0 && items[to - 1].utterance && items[to - 1].utterance.start > item.utterance.start) to--
      items.splice(to, 0, item)
    }
    this.items = items
  }

  #endSpeech({ channel, time }) {
    const open = this.speech.findLast((s) => s.channel === channel && s.end === null)
    if (open) open.end = time
    return ''
  }

  #translation(data, error) {
    const id = data?.utterance_id
    const item = this.items.findLast((i) => i.id === id)
    if (!item) return ''
    const one = { language: data.target_language, text: data.translated_utterance?.text.trim(), error: error?.message }
    const others = (item.translations ?? []).filter((t) => t.language !== one.language)
    return this.#add(id, { translations: [...others, one] })
  }

  #add(id, what) {
    const at = this.items.findLastIndex((i) => i.id === id)
    if (at < 0) return ''
    this.#put(at, { ...this.items[at], ...what })
    return 'other'
  }
}

/** The mood of an utterance in words, empty where it is neutral or not known. */
function moodOf(results) {
  const said = results.find((r) => r.sentiment !== 'neutral' && r.sentiment !== 'unknown')
  if (!said) return ''
  return [said.sentiment, said.emotion].filter((m) => m && m !== 'neutral' && m !== 'unknown').join(', ')
}

/**
 * The voice of an utterance: its speaker, else its channel.
 * @returns {{ n: number, name: string }}
 */
export const voiceOf = (utterance) =>
  utterance.speaker === undefined || utterance.speaker === null
    ? { n: utterance.channel, name: `Channel ${utterance.channel + 1}` }
    : { n: utterance.speaker, name: `Speaker ${utterance.speaker + 1}` }
