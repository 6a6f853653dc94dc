import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { html } from '../../html.js'
import { ask } from '../../lib/api.js'
import { clock } from '../../lib/format.js'
import { stickyHeight } from './transcript.js'
import { VirtualList } from './virtual-list.js'

const fast = 20 // characters a second that most people can still read

const seconds = (text) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

/** The cues of a file of WebVTT. */
export function cuesOf(text) {
  return text
    .split(/\r?\n\r?\n/)
    .map((block) => {
      const lines = block.split(/\r?\n/)
      const at = lines.findIndex((l) => l.includes(' --> '))
      if (at < 0) return null
      const [start, end] = lines[at].split(' --> ').map((t) => seconds(t.trim().split(' ')[0]))
      return { start, end, rows: lines.slice(at + 1).map((r) => r.replace(/<[^>]*>/g, '')) }
    })
    .filter(Boolean)
}

const speed = ({ start, end, rows }) => Math.round(rows.join(' ').length / Math.max(0.1, end - start))

/** The cue that is shown at a time; -1 for none. */
const cueAt = (cues, at) => {
  const n = cues.findLastIndex((c) => c.start <= at + 0.01)
  return n >= 0 && cues[n].end >= at ? n : -1
}

/** The subtitles as a player shows them, beside the list of all. */
export function Subtitles({ path, playback }) {
  const [cues, setCues] = useState(null)
  const [problem, setProblem] = useState('')
  const [now, setNow] = useState(-1)
  const control = useRef(null)
  useEffect(() => {
    const end = new AbortController()
    ask(`${path}/transcript?format=vtt`, { signal: end.signal }).then(
      async (answer) => setCues(cuesOf(await answer.text())),
      (p) => p.name !== 'AbortError' && setProblem(p.message),
    )
    return () => end.abort()
  }, [path])
  useEffect(() => {
    if (!cues) return undefined
    const find = (at) => setNow(cueAt(cues, at))
    find(playback.at.get())
    return playback.at.watch(find)
  }, [cues, playback])
  const guess = useMemo(() => (n) => 41 + 20 * (cues?.[n].rows.length ?? 1), [cues])
  if (problem) return html`<p class="pad-text mid">There are no subtitles: ${problem}.</p>`
  if (!cues) return null
  if (cues.length === 0) return html`<p class="pad-text mid">Nothing was said, so there is nothing to show.</p>`
  const rows = Math.max(...cues.map((c) => c.rows.length))
  const width = Math.max(...cues.flatMap((c) => c.rows.map((r) => r.length)))
  const over = cues.filter((c) => speed(c) > fast).length
  const draw = (n) => html`<li class="cue" key=${n} id=${`c-${n}`} aria-current=${n === now ? 'true' : null}>
    <button type="button" onClick=${() => playback.seek(cues[n].start)}>
      <span class="num">${n + 1}</span>
      <span class="num times">${clock(cues[n].start, 2)} → ${clock(cues[n].end, 2)}</span>
      <span class=${`num speed${speed(cues[n]) > fast ? ' over' : ''}`} title="characters a second">${speed(cues[n])}/s</span>
      <span class="rows">${cues[n].rows.map((r) => html`<span>${r}</span>`)}</span>
    </button>
  </li>`
  return html`<div class="subtitles">
    <figure>
      <div class="frame">${now >= 0 && html`<p>${cues[now].rows.map((r) => html`<span>${r}</span>`)}</p>`}</div>
      <figcaption class="hint">
        As a player would show them. At most ${rows} ${rows === 1 ? 'row' : 'rows'} of ${width} characters.${' '}
        ${over > 0 ? `${over} of ${cues.length} run faster than ${fast} characters a second.` : 'All can be read in their time.'}
      </figcaption>
    </figure>
    <${VirtualList} class="cues" label="Subtitles" count=${cues.length} guess=${guess} draw=${draw} control=${control} top=${stickyHeight()} />
  </div>`
}
