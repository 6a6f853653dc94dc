import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Icon } from '../../components/icon.js'
import { Voice } from '../../components/voice.js'
import { html } from '../../html.js'
import { useCell } from '../../lib/cell.js'
import { clock } from '../../lib/format.js'
import { useShortcut } from '../../lib/shortcuts.js'
import { utteranceAt, voicesOf } from './times.js'
import { Waveform } from './waveform.js'

const rates = [1, 1.25, 1.5, 2, 0.75]
const closest = 8 // seconds that the closest zoom shows
const namedVoices = 5

/** The player: chapters, waveform, controls. It stays in sight while the page scrolls. */
export function Player({ path, playback, outline }) {
  const times = outline.utterances
  const [zoom, setZoom] = useState({ from: 0, to: playback.duration })
  const playing = useCell(playback.playing)
  const rate = useCell(playback.rate)
  const trouble = useCell(playback.trouble)
  const voices = useMemo(() => voicesOf(times), [times])
  const magnify = (factor, around) => setZoom((z) => zoomed(z, factor, around, playback.duration))
  useFollowingZoom(playback, zoom, setZoom)
  const element = useRef(null)
  useEffect(() => {
    const resized = new ResizeObserver(() => element.current.parentElement.style.setProperty('--player', `${element.current.offsetHeight}px`))
    resized.observe(element.current)
    return () => resized.disconnect()
  }, [])
  const turn = (by) => {
    const now = utteranceAt(times, playback.at.get())
    let n = now + by
    if (by < 0 && playback.at.get() - (times.start[now] ?? 0) > 1.5) n = now
    if (n >= 0 && n < times.start.length) playback.seek(times.start[n])
  }
  useShortcut('Space', () => playback.toggle())
  useShortcut('ArrowLeft', () => playback.seek(playback.at.get() - 5))
  useShortcut('ArrowRight', () => playback.seek(playback.at.get() + 5))
  useShortcut('Shift+ArrowLeft', () => turn(-1))
  useShortcut('Shift+ArrowRight', () => turn(1))
  const close = zoom.to - zoom.from
  return html`<div class="player" ref=${element}>
    <div>
      <${Chapters} chapters=${outline.chapters} playback=${playback} zoom=${zoom} />
      <${Waveform} path=${path} playback=${playback} times=${times} window=${zoom} onZoom=${magnify} />
      <div class="controls">
        <button type="button" class="button only play" aria-label=${playing ? 'Pause' : 'Play'} onClick=${() => playback.toggle()}>
          <${Icon} name=${playing ? 'pause' : 'play'} />
        </button>
        <${Position} playback=${playback} />
        <button
          type="button"
          class="button quiet small num"
          aria-label=${`${rate === 1 ? '1.0' : rate}× speed`}
          onClick=${() => playback.setRate(rates[(rates.indexOf(rate) + 1) % rates.length])}
        >
          ${rate === 1 ? '1.0' : rate}×
        </button>
        <span class="row zoom">
          <button type="button" class="button quiet small only" aria-label="Zoom out" disabled=${close >= playback.duration} onClick=${() => magnify(2, playback.at.get())}>
            <span aria-hidden="true">−</span>
          </button>
          <button type="button" class="button quiet small only" aria-label="Zoom in" disabled=${close <= closest} onClick=${() => magnify(0.5, playback.at.get())}>
            <${Icon} name="plus" />
          </button>
        </span>
        ${trouble && html`<span class="second trouble">${trouble}</span>`}
        <span class="grow"></span>
        ${voices.length > 1 && html`<span class="row wide voices">
          ${voices.slice(0, namedVoices).map((v) => html`<${Voice} key=${v.name} n=${v.n} name=${v.name} />`)}
          ${voices.length > namedVoices && html`<span class="dim second">and ${voices.length - namedVoices} more</span>`}
        </span>`}
        <span class="wide hints"><kbd>Space</kbd> <kbd>←</kbd> <kbd>→</kbd></span>
      </div>
    </div>
  </div>`
}

function zoomed({ from, to }, factor, around, duration) {
  const length = Math.min(duration, Math.max(Math.min(closest, duration), (to - from) * factor))
  const part = (around - from) / (to - from)
  const begin = Math.min(duration - length, Math.max(0, around - Math.min(1, Math.max(0, part)) * length))
  return { from: begin, to: begin + length }
}

/** Turns the page of a zoomed waveform when the position leaves it. */
function useFollowingZoom(playback, zoom, setZoom) {
  useEffect(
    () =>
      playback.at.watch((at) => {
        if (at >= zoom.from && at <= zoom.to) return
        const length = zoom.to - zoom.from
        const from = Math.min(playback.duration - length, Math.max(0, at - length * 0.1))
        setZoom({ from, to: from + length })
      }),
    [playback, zoom],
  )
}

function Position({ playback }) {
  const at = useCell(playback.at)
  const text = clock(at, 1)
  return html`<span class="position num">${text.slice(0, -2)}<small>${text.slice(-2)}</small> <small>/ ${clock(playback.duration)}</small></span>`
}

function Chapters({ chapters, playback, zoom }) {
  const at = useCell(playback.at)
  if (chapters.length === 0) return null
  const length = zoom.to - zoom.from
  const place = (t) => Math.min(1, Math.max(0, (t - zoom.from) / length)) * 100
  const now = chapters.findLast((c) => c.start <= at + 0.01)
  return html`<div class="chapters wide">
    ${chapters.map((c, n) => {
      const end = chapters[n + 1]?.start ?? playback.duration
      if (end <= zoom.from || c.start >= zoom.to) return null
      return html`<button
        key=${c.start}
        type="button"
        title=${c.headline}
        aria-current=${c === now ? 'true' : null}
        style=${{ left: `${place(n === 0 ? 0 : c.start)}%`, width: `${place(end) - place(n === 0 ? 0 : c.start)}%` }}
        onClick=${() => playback.seek(c.start)}
      >
        ${c.headline}
      </button>`
    })}
  </div>`
}
