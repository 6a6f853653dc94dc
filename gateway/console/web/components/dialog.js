import { useEffect, useRef } from 'preact/hooks'
import { html } from '../html.js'
import { keepFocus } from '../lib/focus.js'
import { useShortcut } from '../lib/shortcuts.js'

/** What has to be answered before anything else: before deleting, signing in again, and the list of keys. */
export function Dialog({ title, children, actions, onClose }) {
  const element = useRef(null)
  const opener = useRef(document.activeElement)
  useShortcut('Escape', onClose)
  useEffect(() => {
    const before = document.activeElement
    if (!element.current.contains(before)) (element.current.querySelector('[autofocus]') ?? element.current).focus()
    return () => opener.current?.focus?.()
  }, [])
  return html`<div class="veil" onPointerDown=${(e) => e.target === e.currentTarget && onClose()}>
    <div class="dialog" role="dialog" aria-modal="true" aria-label=${title} tabindex="-1" ref=${element} onKeyDown=${keepFocus}>
      <h2>${title}</h2>
      ${children} ${actions && html`<div class="end">${actions}</div>`}
    </div>
  </div>`
}
