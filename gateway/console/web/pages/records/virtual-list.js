import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import { html } from '../../html.js'

const beyond = 600 // px above and below the window that are drawn as well

/**
 * Where the items of a long list stand: heights are guessed until they were measured.
 */
export class Heights {
  /** @param {number} count @param {(n: number) => number} guess px */
  constructor(count, guess) {
    this.count = count
    this.heights = Float64Array.from({ length: count }, (_, n) => guess(n))
    this.tops = new Float64Array(count + 1)
    this.sum(0)
  }

  sum(from) {
    for (let n = from; n < this.count; n++) this.tops[n + 1] = this.tops[n] + this.heights[n]
  }

  /** Takes measured heights, and tells whether anything moved. */
  measure(list) {
    let first = this.count
    for (const [n, height] of list) {
      if (Math.abs(this.heights[n] - height) < 0.5) continue
      this.heights[n] = height
      first = Math.min(first, n)
    }
    this.sum(first)
    return first < this.count
  }

  get total() {
    return this.tops[this.count]
  }

  /** The item at a distance from the top. */
  at(y) {
    let low = 0
    let high = this.count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.tops[middle] <= y) low = middle
      else high = middle - 1
    }
    return low
  }
}

/**
 * A list of which only what is in the window is drawn. It scrolls with the page.
 * @param {{
 *   count: number, guess: (n: number) => number, draw: (n: number) => any, onShow?: (first: number, last: number) => void,
 *   control?: { current: any }, class?: string, label?: string, top?: number,
 * }} props
 *   draw gives the li of one item, whose key is n and whose id ends with -n; control.current gets { show(n), isSeen(n) }; top is what covers the window from above, in px
 */
export function VirtualList({ count, guess, draw, onShow, control, class: kind = '', label, top = 0 }) {
  const element = useRef(null)
  const heights = useRef(null)
  const wanted = useRef(null) // { n, tries }: an item that is being scrolled to
  const [, again] = useReducer((n) => n + 1, 0)
  if (heights.current?.count !== count || heights.current.guess !== guess) {
    heights.current = new Heights(count, guess)
    heights.current.guess = guess
  }
  const h = heights.current
  const start = element.current ? element.current.getBoundingClientRect().top : 0
  const first = h.at(Math.max(0, -start - beyond))
  const last = h.at(Math.max(0, innerHeight - start + beyond))

  useEffect(() => {
    let frame = 0
    const moved = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        again()
      })
    }
    addEventListener('scroll', moved, { passive: true })
    addEventListener('resize', moved)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', moved)
      removeEventListener('resize', moved)
    }
  }, [])
  useLayoutEffect(() => {
    const measured = [...element.current.children].map((child) => [Number(child.id.slice(child.id.indexOf('-') + 1)), child.getBoundingClientRect().height])
    const anchor = h.at(Math.max(0, top - element.current.getBoundingClientRect().top))
    const before = h.tops[anchor]
    const moved = h.measure(measured)
    if (wanted.current) reach()
    else if (moved && h.tops[anchor] !== before && element.current.getBoundingClientRect().top < 0) scrollBy(0, h.tops[anchor] - before)
    if (moved) again()
  })
  useEffect(() => onShow?.(first, Math.min(last, count - 1)), [first, last, count, onShow])

  const place = (n) => element.current.getBoundingClientRect().top + h.tops[n]
  const reach = () => {
    const { n } = wanted.current
    const off = place(n) - (top + (innerHeight - top) / 3)
    if (Math.abs(off) < 1 || --wanted.current.tries < 0) {
      wanted.current = null
      return
    }
    const y = scrollY
    scrollBy({ top: off, behavior: 'instant' })
    if (Math.abs(scrollY - y) < 1) wanted.current = null
    else again()
  }
  if (control) {
    control.current = {
      /** Scrolls an item to a third of the window. */
      show(n) {
        wanted.current = { n, tries: 6 }
        reach()
      },
      /** Whether an item lies within the window. */
      isSeen: (n) => place(n) >= top && place(n) + h.heights[n] <= innerHeight - 40,
    }
  }
  const items = []
  for (let n = first; n <= last && n < count; n++) items.push(draw(n))
  return html`<ol class=${`virtual ${kind}`} ref=${element} aria-label=${label} style=${{ height: `${h.total}px`, paddingTop: `${h.tops[Math.min(first, count)]}px` }}>
    ${items}
  </ol>`
}
