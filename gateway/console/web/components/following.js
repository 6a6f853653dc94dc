import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { html } from '../html.js'
import { count } from '../lib/format.js'
import { useShortcut } from '../lib/shortcuts.js'
import { Icon } from './icon.js'

const bottom = 24 // px from the end that still count as the end

/**
 * A pad that is written: it follows what comes. Scrolling up stops that at once, and a pill or End leads back.
 * @param {{ finals: number, children: any, label?: string, onFollow?: (follows: boolean) => void, control?: { current: any } }} props
 *   finals counts what has come, for the pill; control is given { goLive }
 */
export function Following({ finals, children, label = 'Transcript', onFollow, control }) {
  const scroll = useRef(null)
  const follows = useRef(true)
  const [left, setLeft] = useState(null) // count of finals when the reader scrolled up
  const put = useRef({ top: 0, width: 0, height: 0 }) // where it was put last, in a window of which size
  const known = useRef(finals)
  known.current = finals
  const isAtEnd = () => scroll.current.scrollHeight - scroll.current.scrollTop - scroll.current.clientHeight < bottom
  const toEnd = () => {
    const { clientWidth: width, clientHeight: height } = scroll.current
    scroll.current.scrollTop = scroll.current.scrollHeight
    put.current = { top: scroll.current.scrollTop, width, height }
  }
  /** Whether the reader has scrolled up. What is written, or a window of another size, leads away from the end as well. */
  const movedUp = () => {
    const { clientWidth, clientHeight, scrollTop } = scroll.current
    const { top, width, height } = put.current
    return clientWidth === width && clientHeight === height && scrollTop < top - bottom && !isAtEnd()
  }
  /** Goes to the end, unless the reader has just scrolled up, which the browser tells a moment later. */
  const keepUp = () => {
    if (!follows.current) return
    if (movedUp()) scrolled()
    else toEnd()
  }
  const scrolled = () => {
    const atEnd = isAtEnd()
    if (atEnd === follows.current) return
    if (!atEnd && !movedUp()) return toEnd()
    follows.current = atEnd
    setLeft(atEnd ? null : known.current)
    onFollow?.(atEnd)
  }
  const goLive = () => {
    follows.current = true
    setLeft(null)
    onFollow?.(true)
    toEnd()
  }
  if (control) control.current = { goLive }
  useShortcut('End', goLive)
  useLayoutEffect(() => {
    keepUp()
  })
  useEffect(() => {
    const resized = new ResizeObserver(keepUp)
    resized.observe(scroll.current)
    resized.observe(scroll.current.firstElementChild)
    return () => resized.disconnect()
  }, [])
  const fresh = left === null ? 0 : finals - left
  return html`<div class="following">
    <div class="scroll" ref=${scroll} onScroll=${scrolled} tabindex="0" role="region" aria-label=${label}><div class="pad">${children}</div></div>
    ${left !== null &&
    html`<button type="button" class="button to-live" onClick=${goLive}>
      <${Icon} name="down" />${fresh > 0 ? `${count(fresh)} new, go to live` : 'Go to live'}
    </button>`}
  </div>`
}
