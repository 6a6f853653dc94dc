import { Component } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Utterance } from '../../components/utterance.js'
import { Voice } from '../../components/voice.js'
import { html } from '../../html.js'
import { useCell } from '../../lib/cell.js'
import { clock, language } from '../../lib/format.js'
import { beginsTurn, utteranceAt, voiceAt, voicesOf } from './times.js'
import { VirtualList } from './virtual-list.js'

/** How high an utterance is likely to be, in px. */
function guessOf(times, pairs) {
  const narrow = innerWidth <= 720
  const row = narrow ? 34 : pairs ? 44 : 68 // characters
  return (n) => {
    const head = narrow && beginsTurn(times, n) ? 30 : 0
    return head + 14 + Math.ceil(times.characters[n] / row) * (pairs ? 26 : 29) * (narrow && pairs ? 2 : 1)
  }
}

/** The number of the utterance at the position. */
function useNow(playback, times) {
  const [now, setNow] = useState(() => utteranceAt(times, playback.at.get()))
  useEffect(() => playback.at.watch((at) => setNow(utteranceAt(times, at))), [playback, times])
  return now
}

/** The index of the word that is played in an utterance; -1: none, null: the position is elsewhere. */
function useWordNow(playback, utterance, isNow) {
  const [word, setWord] = useState(null)
  useEffect(() => {
    if (!isNow || !utterance) {
      setWord(null)
      return undefined
    }
    const find = (at) => setWord(at > 0 ? utterance.words.findLastIndex((w) => w.start <= at + 0.01 && at <= w.end + 0.6) : null)
    find(playback.at.get())
    return playback.at.watch(find)
  }, [playback, utterance, isNow])
  return word
}

/** Which words of an utterance a text is found in. */
function hitsIn(utterance, text) {
  if (!text) return null
  const wanted = text.toLowerCase()
  const hits = new Set()
  let all = ''
  const ends = utterance.words.map((w) => (all += w.word.toLowerCase()).length)
  for (let from = all.indexOf(wanted); from >= 0; from = all.indexOf(wanted, from + 1)) {
    ends.forEach((end, i) => {
      const begin = i === 0 ? 0 : ends[i - 1]
      if (begin < from + wanted.length && end > from) hits.add(i)
    })
  }
  return hits
}

const moodOf = (moods) => [moods[0]?.sentiment, moods[0]?.emotion].filter((m) => m && m !== 'neutral' && m !== 'unknown').join(', ')

const shown = ['item', 'isNow', 'find', 'target', 'named']

/** One item of the list: an utterance, or its place while it has not come. It is rendered again only when it changes. */
class Item extends Component {
  shouldComponentUpdate(next) {
    return shown.some((name) => next[name] !== this.props[name])
  }

  render(props) {
    return props.target === undefined ? html`<${Plain} ...${props} />` : html`<${Pair} ...${props} />`
  }
}

/** Whose turn it is, where there are several voices. */
const voiceOf = ({ n, times, named }) => (named ? voiceAt(times, n) : null)
const turnOf = ({ n, times, named }) => n === 0 || (named && beginsTurn(times, n))

function Plain(props) {
  const { n, item, times, find, isNow, playback } = props
  const word = useWordNow(playback, item?.utterance, isNow)
  const utterance = item?.utterance ?? { start: times.start[n], end: times.end[n], words: [], text: '' }
  return html`<${Utterance}
    id=${`u-${n}`}
    utterance=${utterance}
    turn=${turnOf(props)}
    voice=${voiceOf(props)}
    entities=${item?.entities}
    mood=${item && moodOf(item.sentiments)}
    now=${word ?? -1}
    hits=${item && hitsIn(utterance, find)}
  />`
}

/** An utterance beside its translation. */
function Pair(props) {
  const { n, item, times, target, isNow } = props
  const turn = turnOf(props)
  const voice = voiceOf(props)
  const translated = item?.translations?.[target]
  return html`<li class=${`pair${turn ? ' turn' : ''}${isNow ? ' now' : ''}`} id=${`u-${n}`}>
    <div class="aside">${turn && voice && html`<${Voice} ...${voice} />`}<time>${clock(times.start[n], 1)}</time></div>
    <p class="words" lang=${item?.utterance.language} data-start=${times.start[n]}>${item?.utterance.text.trim()}</p>
    ${item &&
    (translated === undefined
      ? html`<p class="words none">Not translated.</p>`
      : html`<p class="words translated" lang=${target} data-start=${times.start[n]}>${translated}</p>`)}
  </li>`
}

/**
 * What was said, in step with the recording. Pressing a word seeks.
 * @param {{ pages: object, times: object, playback: object, find: string, target?: string, heard?: string, control: object }} props
 *   target: the language of the translation beside it; heard: that of what was said
 */
export function Transcript({ pages, times, playback, find, target, heard, control }) {
  useCell(pages.version)
  const now = useNow(playback, times)
  const playing = useCell(playback.playing)
  const guess = useMemo(() => guessOf(times, target !== undefined), [times, target])
  const want = useCallback((first, last) => pages.want(first, last), [pages])
  const named = useMemo(() => voicesOf(times).length > 1, [times])
  const before = useRef(now)
  const top = stickyHeight()
  useEffect(() => {
    const was = before.current
    before.current = now
    if (playing && now !== was && now >= 0 && (control.current.isSeen(was) || was < 0) && !control.current.isSeen(now)) control.current.show(now)
  }, [now, playing])
  const pressed = (event) => {
    const at = event.target.closest('[data-start]')
    if (at && !getSelection().toString()) playback.seek(Number(at.dataset.start))
  }
  const draw = (n) => html`<${Item}
    key=${n}
    n=${n}
    item=${pages.get(n)}
    times=${times}
    named=${named}
    isNow=${n === now}
    playback=${playback}
    find=${find}
    target=${target}
  />`
  return html`${target !== undefined &&
    html`<div class="pair heads wide"><span></span><p>${heard ? `${language(heard)}, as heard` : 'As heard'}</p><p>${language(target)}</p></div>`}
    <div onClick=${pressed}>
      <${VirtualList}
        class=${target === undefined ? 'transcript seeks' : 'pairs seeks'}
        label=${target === undefined ? 'Transcript' : `Translation to ${language(target)}`}
        count=${times.start.length}
        guess=${guess}
        draw=${draw}
        onShow=${want}
        control=${control}
        top=${top}
      />
    </div>`
}

/** What covers the window from above: the bar of the page and the player. */
export function stickyHeight() {
  const player = document.querySelector('.player')
  return player ? (document.querySelector('.top')?.offsetHeight ?? 0) + player.offsetHeight : 0
}
