import { useEffect, useRef } from 'preact/hooks'
import { html } from '../../html.js'
import { api } from '../../lib/api.js'
import { useCell } from '../../lib/cell.js'
import { usePoll } from '../../lib/poll.js'
import { inks, theme } from '../../lib/theme.js'

const seconds = 30
const bar = 4 // px from one bar to the next
const lane = 20 // px from the bottom to the lane of speech
const perSecond = 50 // points of the finest waveform

/** The last 30 seconds of a session that another client sends: its level by the server's waveform, and the detected speech. */
export function Strip({ path, conversation }) {
  const canvas = useRef(null)
  const levels = useRef({ points: new Map(), end: 0 }) // level by point, and how far they reach, in seconds
  const colours = useCell(theme)
  usePoll(
    async (signal) => {
      const known = levels.current
      const from = known.end > 0 ? known.end.toFixed(2) : -seconds
      const peaks = await api(`${path}/peaks?from=${from}&points=2000`, { signal, quiet: true }).catch(() => null)
      if (!peaks) return
      if (known.end > 0 && peaks.duration - known.end > seconds) known.points.clear()
      for (let i = 0; i < peaks.length; i++) {
        let level = 0
        for (let c = 0; c < 2 * peaks.channels; c++) level = Math.max(level, Math.abs(peaks.data[i * 2 * peaks.channels + c]) / 128)
        known.points.set(Math.round(peaks.from * perSecond) + i, level)
      }
      known.end = Math.max(known.end, peaks.from + peaks.length / perSecond)
      for (const at of known.points.keys()) if (at < (known.end - seconds) * perSecond) known.points.delete(at)
      draw(canvas.current, known, conversation, inks('accent', 'line-control', 'text'))
    },
    1,
    [path],
  )
  useEffect(() => draw(canvas.current, levels.current, conversation, inks('accent', 'line-control', 'text')), [colours])
  return html`<div class="strip">
    <canvas ref=${canvas} role="img" aria-label="Level and detected speech in the last 30 seconds"></canvas>
    <div class="ends"><span>30 s ago</span><span>now</span></div>
  </div>`
}

function draw(canvas, { points, end }, conversation, ink) {
  if (!canvas) return
  const { clientWidth: width, clientHeight: height } = canvas
  const scale = devicePixelRatio || 1
  canvas.width = width * scale
  canvas.height = height * scale
  const g = canvas.getContext('2d')
  g.scale(scale, scale)
  const middle = (height - 26) / 2 + 6
  const bars = Math.floor(width / bar)
  const x = (t) => width * (1 - (end - t) / seconds)
  for (let n = 0; n < bars; n++) {
    const from = end - seconds + (n * seconds) / bars
    let level = 0
    for (let p = Math.round(from * perSecond); p < (from + seconds / bars) * perSecond; p++) level = Math.max(level, points.get(p) ?? 0)
    const spoken = conversation.speech.some((s) => from >= s.start && from <= (s.end ?? end))
    const decibels = level > 0 ? 20 * Math.log10(level) : -60
    const half = 1 + Math.max(0, Math.min(1, 1 + (decibels + 3) / 42)) ** 1.7 * (middle - 7)
    g.globalAlpha = spoken ? 0.38 + 0.62 * (n / bars) ** 1.4 : 1
    g.fillStyle = spoken ? ink.accent : ink['line-control']
    g.beginPath()
    g.roundRect(n * bar, middle - half, 2, half * 2, 1)
    g.fill()
  }
  g.globalAlpha = 1
  const y = height - lane
  for (const s of conversation.speech) {
    if ((s.end ?? end) < end - seconds) continue
    g.fillStyle = ink.accent
    g.fillRect(x(s.start), y, x(s.end ?? end) - x(s.start), 2)
  }
  g.fillStyle = ink.text
  for (const at of conversation.ends) if (at > end - seconds) g.fillRect(x(at) - 1, y - 3, 1.5, 8)
}
