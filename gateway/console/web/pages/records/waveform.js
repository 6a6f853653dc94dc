import { useEffect, useRef, useState } from 'preact/hooks'
import { html } from '../../html.js'
import { api } from '../../lib/api.js'
import { useCell } from '../../lib/cell.js'
import { clock } from '../../lib/format.js'
import { inks, theme } from '../../lib/theme.js'
import { utteranceAt, voiceAt } from './times.js'

const step = 3 // px from one bar to the next
const detail = 8 // points of a bar: their mean tells more of a long stretch than the loudest of them
const voiceInks = ['voice-1', 'voice-2', 'voice-3', 'voice-4', 'voice-5', 'voice-6', 'voice-7', 'voice-8']

/** The loudest of all channels at each point, 0 to 1. */
function loudest({ data, channels, length }) {
  const all = new Float32Array(length)
  for (let i = 0; i < length; i++) {
    for (let c = 0; c < 2 * channels; c++) all[i] = Math.max(all[i], Math.abs(data[i * 2 * channels + c]) / 128)
  }
  return all
}

/** Bars by their place in the window, from the peaks that have come. */
function barsOf(peaks, width, from, to) {
  const count = Math.floor(width / step)
  const bars = new Float32Array(count)
  const points = new Uint16Array(count)
  if (!peaks || peaks.length === 0) return bars
  const levels = loudest(peaks)
  const each = peaks.samples_per_pixel / peaks.sample_rate
  for (let i = 0; i < levels.length; i++) {
    const at = Math.floor(((peaks.from + i * each - from) / (to - from)) * count)
    if (at < 0 || at >= count) continue
    bars[at] += levels[i]
    points[at]++
  }
  for (let n = 0; n < count; n++) bars[n] /= points[n] || 1
  const most = Math.max(0.2, ...bars) // a quiet recording is drawn larger, silence is not
  return bars.map((b) => b / most)
}

/** The peaks of a stretch at the zoom that fits; the former ones until they have come. */
export function usePeaks(path, from, to, points) {
  const [peaks, setPeaks] = useState(null)
  const [gone, setGone] = useState(false)
  useEffect(() => {
    if (points === 0) return undefined
    const end = new AbortController()
    const wait = setTimeout(() => {
      api(`${path}/peaks?from=${from.toFixed(3)}&to=${to.toFixed(3)}&points=${Math.min(4000, points)}`, { signal: end.signal }).then(setPeaks, (p) => p.name !== 'AbortError' && setGone(true))
    }, peaks ? 150 : 0)
    return () => {
      clearTimeout(wait)
      end.abort()
    }
  }, [path, from, to, points])
  return [peaks, gone]
}

/**
 * The waveform, in the colours of who speaks. Pressing or dragging seeks, as the arrow keys do.
 * @param {{ path: string, playback: object, times: object, window: { from: number, to: number }, onZoom: (factor: number, at: number) => void }} props
 */
export function Waveform({ path, playback, times, window: seen, onZoom }) {
  const canvas = useRef(null)
  const box = useRef(null)
  const [width, setWidth] = useState(0)
  const at = useCell(playback.at)
  const colours = useCell(theme)
  const [peaks, gone] = usePeaks(path, seen.from, seen.to, Math.floor(width / step) * detail)
  const ink = useRef(null)
  const bars = useRef(null)
  useEffect(() => {
    const resized = new ResizeObserver(() => setWidth(Math.round(box.current.getBoundingClientRect().width)))
    resized.observe(box.current)
    return () => resized.disconnect()
  }, [])
  useEffect(() => {
    ink.current = inks('accent', 'line-control', 'text-3', ...voiceInks)
    bars.current = null
  }, [colours])
  useEffect(() => {
    bars.current = null
  }, [peaks, width, seen.from, seen.to, times])
  useEffect(() => {
    if (width === 0 || !ink.current) return
    bars.current ??= { heights: barsOf(peaks, width, seen.from, seen.to), voices: voicesOfBars(times, width, seen) }
    draw(canvas.current, width, bars.current, ink.current, (at - seen.from) / (seen.to - seen.from))
  })
  const seekTo = (event) => {
    const { left } = box.current.getBoundingClientRect()
    playback.seek(seen.from + ((event.clientX - left) / width) * (seen.to - seen.from))
  }
  const keys = (event) => {
    const by = { ArrowLeft: -5, ArrowRight: 5, ArrowDown: -5, ArrowUp: 5, PageDown: -30, PageUp: 30 }[event.key]
    const to = by !== undefined ? at + by : { Home: 0, End: playback.duration }[event.key]
    if (to === undefined || event.shiftKey) return
    event.preventDefault()
    playback.seek(to)
  }
  const wheel = (event) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const { left } = box.current.getBoundingClientRect()
    onZoom(event.deltaY > 0 ? 2 : 0.5, seen.from + ((event.clientX - left) / width) * (seen.to - seen.from))
  }
  return html`<div
    class="waveform"
    ref=${box}
    role="slider"
    tabindex="0"
    aria-label="Position in the recording"
    aria-valuemin="0"
    aria-valuemax=${Math.round(playback.duration)}
    aria-valuenow=${Math.round(at)}
    aria-valuetext=${clock(at)}
    onPointerDown=${(e) => {
      e.currentTarget.setPointerCapture(e.pointerId)
      seekTo(e)
    }}
    onPointerMove=${(e) => e.buttons === 1 && seekTo(e)}
    onKeyDown=${keys}
    onWheel=${wheel}
  >
    <canvas ref=${canvas} aria-hidden="true"></canvas>
    ${gone && html`<p class="second dim">The waveform could not be made.</p>`}
  </div>`
}

/** Who speaks at each bar, -1 for nobody. */
function voicesOfBars(times, width, { from, to }) {
  const count = Math.floor(width / step)
  const each = (to - from) / count
  return Int32Array.from({ length: count }, (_, i) => {
    const begin = from + i * each
    const n = utteranceAt(times, begin + each)
    return n >= 0 && times.end[n] >= begin ? voiceAt(times, n).n % voiceInks.length : -1
  })
}

function draw(canvas, width, { heights, voices }, ink, played) {
  const scale = devicePixelRatio || 1
  const height = canvas.clientHeight
  canvas.width = width * scale
  canvas.height = height * scale
  const g = canvas.getContext('2d')
  g.scale(scale, scale)
  const middle = height / 2
  heights.forEach((level, i) => {
    const spoken = voices[i] >= 0
    const half = level > 0.02 ? Math.max(1.2, level ** 0.8 * (middle - 2)) : 0.8
    g.globalAlpha = i * step < played * width ? 1 : 0.42
    g.fillStyle = spoken ? ink[voiceInks[voices[i]]] : ink['line-control']
    g.beginPath()
    g.roundRect(i * step, middle - half, 2, half * 2, 1)
    g.fill()
  })
  g.globalAlpha = 1
  if (played < 0 || played > 1) return
  const x = Math.min(width - 1, Math.max(1, played * width))
  g.fillStyle = ink.accent
  g.fillRect(x - 1, 0, 2, height)
  g.beginPath()
  g.arc(Math.min(width - 4, Math.max(4, x)), 4, 4, 0, 7)
  g.fill()
}

let queue = Promise.resolve()

/** A small waveform of a record in a list, asked for once it is seen. */
export function SmallWaveform({ path }) {
  const canvas = useRef(null)
  const [peaks, setPeaks] = useState(null)
  const colours = useCell(theme)
  useEffect(() => {
    const end = new AbortController()
    const watch = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting) return
      watch.disconnect()
      const ask = () => !end.signal.aborted && api(`${path}/peaks?points=480`, { signal: end.signal, quiet: true }).then(setPeaks, () => {})
      queue = queue.then(ask, ask) // one after the other: each may take the server a while
    })
    watch.observe(canvas.current)
    return () => {
      watch.disconnect()
      end.abort()
    }
  }, [path])
  useEffect(() => {
    if (peaks) drawSmall(canvas.current, barsOf(peaks, 60 * step, 0, peaks.duration), inks('text-3', 'line-control'))
  }, [peaks, colours])
  return html`<canvas class="small-waveform" ref=${canvas} aria-hidden="true"></canvas>`
}

function drawSmall(canvas, levels, ink) {
  const scale = devicePixelRatio || 1
  const { clientWidth: width, clientHeight: height } = canvas
  canvas.width = width * scale
  canvas.height = height * scale
  const g = canvas.getContext('2d')
  g.scale(scale, scale)
  const each = width / levels.length
  levels.forEach((level, i) => {
    const half = Math.max(0.8, level ** 0.8 * (height / 2 - 1))
    g.fillStyle = level > 0.02 ? ink['text-3'] : ink['line-control']
    g.beginPath()
    g.roundRect(i * each, height / 2 - half, Math.min(1.5, each - 0.5), half * 2, 1)
    g.fill()
  })
}
