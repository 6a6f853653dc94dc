import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { html } from '../html.js'
import { useShortcut } from '../lib/shortcuts.js'

const gap = 6

/** Puts the floating element below its anchor, or above where that has more room, and within the window. */
function place(element, anchor, align, width) {
  const a = anchor.getBoundingClientRect()
  if (width === 'anchor') element.style.minWidth = `${a.width}px`
  const f = element.getBoundingClientRect()
  const below = innerHeight - a.bottom - gap
  const top = f.height <= below || below >= a.top ? a.bottom + gap : a.top - gap - Math.min(f.height, a.top - gap - 8)
  const left = align === 'end' ? a.right - f.width : a.left
  element.style.top = `${Math.max(8, top)}px`
  element.style.left = `${Math.max(8, Math.min(left, innerWidth - f.width - 8))}px`
  element.style.maxHeight = `${Math.max(120, top > a.top ? innerHeight - top - 8 : a.top - gap - 8)}px`
}

/**
 * What floats above the page beside a control, until Escape or a press elsewhere.
 * @param {{ anchor: { current: HTMLElement }, onClose: () => void, children: any, align?: 'start' | 'end', width?: 'anchor' | string, role?: string, label?: string, class?: string }} props
 */
export function Float({ anchor, onClose, children, align = 'start', width, role, label, class: kind = '' }) {
  const element = useRef(null)
  useShortcut('Escape', () => {
    onClose()
    anchor.current?.focus()
  })
  useLayoutEffect(() => place(element.current, anchor.current, align, width))
  useEffect(() => {
    const outside = (e) => {
      if (!element.current.contains(e.target) && !anchor.current?.contains(e.target)) onClose()
    }
    const moved = (e) => {
      if (!(e.target instanceof Node) || !element.current.contains(e.target)) place(element.current, anchor.current, align, width)
    }
    document.addEventListener('pointerdown', outside)
    addEventListener('resize', moved)
    addEventListener('scroll', moved, true)
    return () => {
      document.removeEventListener('pointerdown', outside)
      removeEventListener('resize', moved)
      removeEventListener('scroll', moved, true)
    }
  }, [])
  const style = width && width !== 'anchor' ? { width } : undefined
  return html`<div class=${`float ${kind}`} ref=${element} role=${role} aria-label=${label} style=${style}>${children}</div>`
}
