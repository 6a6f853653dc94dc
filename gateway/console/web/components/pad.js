import { Component } from 'preact'
import { html } from '../html.js'
import { voiceOf } from '../lib/conversation.js'
import { language } from '../lib/format.js'
import { Divider, Utterance } from './utterance.js'

/** One item of a conversation. It is rendered again only when the item or its place changes. */
class Line extends Component {
  shouldComponentUpdate(next) {
    return ['item', 'turn', 'named'].some((name) => next[name] !== this.props[name])
  }

  render({ item, turn, named }) {
    if (item.state === 'divider') return html`<${Divider}>${item.text}<//>`
    return html`<${Utterance}
      utterance=${item.utterance}
      state=${item.state}
      turn=${turn}
      voice=${named ? voiceOf(item.utterance) : null}
      entities=${item.entities}
      mood=${item.mood}
      >${item.translations?.map((t) => html`<${Beside} key=${t.language} ...${t} />`)}<//
    >`
  }
}

function Beside({ language: code, text, error }) {
  return html`<span class=${`beside${error ? ' failed' : ''}`} lang=${error ? null : code}
    ><b title=${language(code)}>${code}</b>${error ? `Not translated: ${error}` : text}</span
  >`
}

/**
 * The utterances of a conversation, as they come.
 * @param {{ items: import('../lib/conversation.js').Item[], named: boolean }} props named: there are several voices
 */
export function Pad({ items, named }) {
  let last
  return html`<ol class="transcript" aria-label="Transcript">
    ${items.map((item) => {
      const voice = item.utterance && voiceOf(item.utterance).name
      const turn = item.utterance && (last === undefined || (named && voice !== last))
      if (item.utterance) last = voice
      return html`<${Line} key=${item.id} item=${item} turn=${turn} named=${named} />`
    })}
  </ol>`
}
