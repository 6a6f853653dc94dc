import { useEffect, useRef } from 'preact/hooks'
import { html } from '../../html.js'
import { useCell } from '../../lib/cell.js'
import { inks, theme } from '../../lib/theme.js'
import { current, heard, phase } from './recording.js'

const seconds = 30
const bar = 4 // px from one bar to the next
const lane = 20 // px from the bottom to the lane of speech

/** The last 30 seconds: level, fading with age; the lane of detected speech with its ends; a hole where audio is kept here. */
export function Strip() {
  const canvas = useRef(null)
  const state = useCell(phase)
  const colours = useCell(theme)
  useEffect(() => {
    const ink = inks('accent', 'line-control', 'text')
    const paint = () => draw(canvas.current, ink)
    const resized = new ResizeObserver(paint)
    resized.observe(canvas.current)
    const moving = ['recording', 'resuming'].includes(state)
    let frame
    let last = 0
    const next = (now) => {
      if (now - last > 45) {
        last = now
        paint()
      }
      frame = requestAnimationFrame(next)
    }
    if (moving) frame = requestAnimationFrame(next)
    else paint()
    return () => {
      cancelAnimationFrame(frame)
      resized.disconnect()
    }
  }, [state, colours])
  return html`<div class="strip">
    <canvas ref=${canvas} role="img" aria-label="Level and detected speech in the last 30 seconds"></canvas>
    <div class="ends"><span>30 s ago</span><span>now</span></div>
  </div>`
}

function draw(canvas, ink) {
  const box = canvas.getBoundingClientRect()
  const scale = devicePixelRatio || 1
  canvas.width = box.width * scale
  canvas.height = box.height * scale
  const g = canvas.getContext('2d')
  g.scale(scale, scale)
  const now = heard.get()
  const x = (t) => box.width * (1 - (now - t) / seconds)
  drawLevels(g, box, ink, now)
  if (current) drawSpeech(g, box, ink, now, x)
}

function drawLevels(g, box, ink, now) {
  const middle = (box.height - 26) / 2 + 6
  const talk = current
  const unsent = talk?.session ? talk.session.kept / (talk.timing.rate || 1) : 0
  const hole = phase.get() === 'resuming' ? unsent : 0
  const speech = talk?.conversation.speech ?? []
  const step = (seconds * bar) / box.width
  const phaseShift = now % step // bars keep their place in the audio while they move
  for (let n = 0; n * bar < box.width + bar; n++) {
    const t = now - seconds + n * step - phaseShift
    if (t > now - hole && t > 0) continue
    const height = 1 + loudness(talk, t, now) * (middle - 7)
    const spoken = speech.some((s) => t >= s.start && t <= (s.end ?? now))
    g.globalAlpha = spoken ? 0.38 + 0.62 * Math.max(0, 1 - (now - t) / seconds) ** 1.4 : 1
    g.fillStyle = spoken ? ink.accent : ink['line-control']
    g.beginPath()
    g.roundRect(box.width * (1 - (now - t) / seconds), middle - height, 2, height * 2, 1)
    g.fill()
  }
  g.globalAlpha = 1
}

/** The level at a time, 0 to 1, from the ring of the recording: -60 dB is nothing. */
function loudness(talk, t, now) {
  if (!talk || t < 0) return 0
  const back = Math.round((now - t) * 20)
  const at = talk.position - 1 - back
  if (at < 0 || back >= talk.levels.length) return 0
  const rms = talk.levels[at % talk.levels.length]
  return rms > 0 ? Math.max(0, Math.min(1, 1 + (20 * Math.log10(rms) + 9) / 42)) ** 1.7 : 0
}

function drawSpeech(g, box, ink, now, x) {
  const y = box.height - lane
  for (const s of current.conversation.speech) {
    const end = s.end ?? now
    if (end < now - seconds) continue
    g.fillStyle = ink.accent
    g.fillRect(x(s.start), y, x(end) - x(s.start), 2)
  }
  g.fillStyle = ink.text
  for (const end of current.conversation.ends) if (end > now - seconds) g.fillRect(x(end) - 1, y - 3, 1.5, 8)
}
