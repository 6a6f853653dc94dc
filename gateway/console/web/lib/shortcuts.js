// Keys that do something on a page. They are never taken while a field or a control has the focus that uses them itself.
import { useEffect, useRef } from 'preact/hooks'

const bound = [] // { keys, run }, the newest last
let prefix = ''
let prefixUntil = 0

function typing(target) {
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

/** Whether the focused control takes the key itself: Space presses buttons, arrows move in lists and sliders. */
function taken(event) {
  const control = event.target.closest?.('button, a, summary, [role="option"], [role="slider"], [role="tab"], [role="menuitem"]')
  return control !== null && control !== undefined && [' ', 'Enter', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(event.key)
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key !== 'Escape' && (typing(event.target) || taken(event))) return
  const key = (event.shiftKey && event.key.length > 1 ? 'Shift+' : '') + (event.key === ' ' ? 'Space' : event.key)
  const said = event.timeStamp < prefixUntil ? `${prefix} ${key}` : key
  prefixUntil = 0
  const found = bound.findLast((b) => b.keys === said)
  if (found) {
    event.preventDefault()
    found.run(event)
  } else if (bound.some((b) => b.keys.startsWith(key + ' '))) {
    prefix = key
    prefixUntil = event.timeStamp + 1500
  }
})

/**
 * Runs a function on a key, while the component is shown: "Space", "Escape", "Shift+ArrowLeft", "o", or one key after another:
 * "g t". The component shown last wins.
 */
export function useShortcut(keys, run, enabled = true) {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!enabled) return undefined
    const entry = { keys, run: (event) => latest.current(event) }
    bound.push(entry)
    return () => bound.splice(bound.indexOf(entry), 1)
  }, [keys, enabled])
}
