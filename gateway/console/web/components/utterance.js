import { html } from '../html.js'
import { clock } from '../lib/format.js'
import { Voice } from './voice.js'
import { Word } from './word.js'

const slack = 0.011 // s: times of entities and words are rounded apart

/** What stands before a word: a space, but none before the first, nor within scripts that are written without. */
const gap = (word, i) => (i > 0 && /^\s/.test(word.word) ? ' ' : '')

/** The words in runs: those within one entity together, with it; the others alone. */
function runs(words, entities) {
  const all = []
  words.forEach((word, i) => {
    const entity = entities.find((e) => word.start >= e.start - slack && word.end <= e.end + slack)
    if (entity && all.at(-1)?.entity === entity) all.at(-1).words.push([word, i])
    else all.push({ entity, words: [[word, i]] })
  })
  return all
}

/**
 * An utterance on the pad.
 * @param {{
 *   utterance: { start: number, end: number, words: object[], text: string, language?: string, channel: number, speaker?: number },
 *   state?: 'partial' | 'settling' | 'final',
 *   turn?: boolean, voice?: { n: number, name?: string } | null,
 *   entities?: { entity_type: string, text: string, start: number, end: number }[],
 *   mood?: string, now?: number, hits?: Set<number>, id?: string, children?: any,
 * }} props
 *   turn: the first one of this voice, so that it is named; voice null: there is only one, which needs no name.
 *   now: index of the word that is played; hits: those of the words that were searched for; mood: "negative, frustrated".
 *   children stand below the words, such as translations.
 */
export function Utterance({ utterance, state = 'final', turn = false, voice = null, entities = [], mood, now, hits, id, children }) {
  const partial = state === 'partial'
  const shown = ({ words }) =>
    words.map(([word, i], n) => html`${n > 0 && gap(word, i)}<${Word} key=${`${i} ${word.word}`} word=${word} now=${now === i} hit=${hits?.has(i)} final=${!partial} />`)
  const text = runs(utterance.words, partial ? [] : entities).map(
    (run) =>
      html`${gap(...run.words[0])}${run.entity
        ? html`<mark class="entity" key=${`e${run.words[0][1]}`} title=${run.entity.entity_type}>${shown(run)}</mark>`
        : shown(run)}`,
  )
  return html`<li class=${`utterance ${state}${turn ? ' turn' : ''}`} id=${id} aria-hidden=${partial ? 'true' : null} lang=${utterance.language}>
    <div class="aside">
      ${turn && voice && html`<${Voice} ...${voice} />`}<time>${partial ? 'now' : clock(utterance.start, 1)}</time>
    </div>
    <p class="words">
      ${text}${partial && html`<span class="caret"></span>`}${mood && html`<span class="mood">${mood}</span>`}${children}
    </p>
  </li>`
}

/** A line across the pad: "you joined here", "end, 0:41.2". */
export function Divider({ children }) {
  return html`<li class="divider"><span>${children}</span></li>`
}
