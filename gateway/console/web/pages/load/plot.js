import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { html } from '../../html.js'
import { useCell } from '../../lib/cell.js'
import { inks, theme } from '../../lib/theme.js'
import { delay } from './report.js'

const names = ['accent', 'text', 'text-2', 'text-3', 'line', 'line-strong', 'bg']

/** Stripes for what lies beyond the promise. */
function hatch(ink) {
  const tile = document.createElement('canvas')
  const size = 6 * devicePixelRatio
  tile.width = tile.height = size
  const g = tile.getContext('2d')
  g.strokeStyle = ink
  g.lineWidth = devicePixelRatio
  for (const shift of [-size, 0, size]) {
    g.beginPath()
    g.moveTo(shift, size)
    g.lineTo(shift + size, 0)
    g.stroke()
  }
  return g.createPattern(tile, 'repeat')
}

/** Draws into the plot: hatching beyond a number, the promise, and names at the ends of the lines. */
function drawings({ lines, limit, limitText, beyond, beyondText, unit }, ink) {
  const px = (n) => n * devicePixelRatio
  const clear = (u) => {
    if (beyond === undefined) return
    const { ctx } = u
    const x = u.valToPos(beyond, 'x', true)
    ctx.save()
    ctx.globalAlpha = 0.6
    ctx.fillStyle = hatch(ink['line-strong'])
    ctx.fillRect(x, u.bbox.top, u.bbox.left + u.bbox.width - x, u.bbox.height)
    ctx.restore()
    ctx.fillStyle = ink.accent
    ctx.fillRect(x - px(0.5), u.bbox.top, px(1), u.bbox.height)
  }
  const draw = (u) => {
    const { ctx } = u
    ctx.save()
    const sans = (weight) => `${weight} ${px(13)}px ${getComputedStyle(document.body).fontFamily}`
    const write = (text, colour, x, y) => {
      ctx.strokeStyle = ink.bg // lines that pass behind it stay off the letters
      ctx.lineWidth = px(4)
      ctx.lineJoin = 'round'
      ctx.strokeText(text, x, y)
      ctx.fillStyle = colour
      ctx.fillText(text, x, y)
    }
    ctx.textBaseline = 'middle'
    ctx.textAlign = 'left'
    if (limit !== undefined) {
      const y = u.valToPos(limit, 'y', true)
      if (y > u.bbox.top) {
        ctx.setLineDash([px(3), px(3)])
        ctx.strokeStyle = ink.text
        ctx.lineWidth = px(1)
        ctx.beginPath()
        ctx.moveTo(u.bbox.left, y)
        ctx.lineTo(u.bbox.left + u.bbox.width, y)
        ctx.stroke()
        ctx.setLineDash([])
        ctx.font = sans(500)
        write(limitText, ink.text, u.bbox.left + px(8), y - px(11))
      }
    }
    if (beyondText) {
      const x = u.valToPos(beyond, 'x', true)
      const room = x - u.bbox.left > px(120)
      ctx.font = sans(600)
      ctx.textAlign = room ? 'right' : 'left'
      write(beyondText, ink.accent, x + (room ? -px(8) : px(8)), u.bbox.top + px(12))
      ctx.textAlign = 'left'
    }
    nameLines(u, lines, ink, sans, px, unit)
    ctx.restore()
  }
  return { clear, draw }
}

/** Names at the right end, moved apart where they would touch. */
function nameLines(u, lines, ink, sans, px, unit) {
  const { ctx } = u
  const narrow = u.bbox.width < px(480)
  const top = u.bbox.top + px(4)
  const ends = lines
    .map((line, n) => {
      const values = u.data[n + 1]
      let i = values.length - 1
      while (i > 0 && values[i] == null) i--
      return { ...line, value: values[i], y: Math.max(top, u.valToPos(values[i] ?? 0, 'y', true)) }
    })
    .filter((e) => e.value != null)
    .sort((a, b) => a.y - b.y)
  for (let n = 1; n < ends.length; n++) ends[n].y = Math.max(ends[n].y, ends[n - 1].y + px(17))
  ctx.textAlign = 'left'
  for (const e of ends) {
    ctx.font = sans(500)
    ctx.fillStyle = ink[e.ink]
    ctx.fillText(narrow ? e.name : `${e.name}, ${unit(e.value)}`, u.bbox.left + u.bbox.width + px(10), Math.min(e.y, u.bbox.top + u.bbox.height - px(2)))
  }
}

/**
 * A plot of lines.
 * @param {{
 *   x: number[], lines: { name: string, ink: string, values: (number | null)[], width?: number }[], label: string, height?: number, points?: boolean, most?: number,
 *   limit?: number, limitText?: string, beyond?: number, beyondText?: string, xText?: string, xValue?: (n: number) => string, unit?: (n: number) => string,
 * }} props label is a sentence that says what is seen; most bounds the y axis; unit writes its values
 */
export function Plot(props) {
  const box = useRef(null)
  const colours = useCell(theme)
  const { x, lines, label, height = 380 } = props
  useEffect(() => {
    let plot
    const make = () => {
      plot?.destroy()
      const { width } = box.current.getBoundingClientRect()
      plot = new uPlot(optionsOf(props, width, inks(...names)), [x, ...lines.map((l) => l.values)], box.current)
    }
    make()
    let width = box.current.clientWidth
    const resized = new ResizeObserver(() => {
      if (box.current.clientWidth === width) return
      width = box.current.clientWidth
      make()
    })
    resized.observe(box.current)
    return () => {
      resized.disconnect()
      plot.destroy()
    }
  }, [props.report, colours, x])
  return html`<div class="plot-box" ref=${box} role="img" aria-label=${label} style=${{ height: `${height}px` }}></div>`
}

function optionsOf(props, width, ink) {
  const { lines, height = 380, points = false, most, xText, xValue = String, unit = delay } = props
  const narrow = width < 560
  const { clear, draw } = drawings({ ...props, unit }, ink)
  const mono = `12px ${getComputedStyle(document.documentElement).getPropertyValue('--mono')}`
  const axis = { stroke: ink['text-3'], font: mono, grid: { stroke: ink.line, width: 1 }, ticks: { show: false } }
  return {
    width,
    height: narrow ? Math.min(height, 300) : height,
    padding: [14, narrow ? 64 : 120, xText ? 26 : 0, 0],
    legend: { show: false },
    cursor: { show: false },
    select: { show: false },
    scales: { x: { time: false }, y: { range: (_, low, high) => [0, most ?? Math.max(high * 1.08, 0.001)] } },
    axes: [
      { ...axis, size: 32, grid: { show: false }, values: (_, all) => all.map(xValue), space: narrow ? 44 : 56, gap: 8 },
      { ...axis, size: narrow ? 56 : 66, values: (_, all) => all.map((v) => (v === 0 ? '0' : unit(v))), space: 56, gap: 8 },
    ],
    series: [
      {},
      ...lines.map((l) => ({
        stroke: ink[l.ink], width: l.width ?? 1.5, spanGaps: true, points: { show: points, size: l.width ? 8 : 6, width: l.width ? 1.75 : 1.5, fill: ink.bg, stroke: ink[l.ink] },
      })),
    ],
    hooks: {
      drawClear: [clear],
      draw: [
        draw,
        (u) => {
          if (!xText) return
          const { ctx } = u
          ctx.save()
          ctx.font = `${12 * devicePixelRatio}px ${getComputedStyle(document.body).fontFamily}`
          ctx.fillStyle = ink['text-3']
          ctx.textAlign = 'right'
          ctx.textBaseline = 'bottom'
          ctx.fillText(xText, u.bbox.left + u.bbox.width, u.ctx.canvas.height - 4 * devicePixelRatio)
          ctx.restore()
        },
      ],
    },
  }
}
