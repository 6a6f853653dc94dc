import { useEffect, useRef, useState } from 'preact/hooks'
import { html } from '../html.js'
import { moveFocus } from '../lib/focus.js'
import { Float } from './float.js'
import { Icon } from './icon.js'

/**
 * A button that opens a list of things to do.
 * @param {{ label: string, icon?: string, only?: boolean, class?: string, align?: 'start' | 'end', items: ({ label: string, note?: string, href?: string, download?: string, danger?: boolean, onPick?: () => void } | null)[] }} props
 *   only: the button shows the icon alone; null among the items draws a line.
 */
export function Menu({ label, icon, only = false, class: kind = '', align = 'end', items }) {
  const [open, setOpen] = useState(false)
  const anchor = useRef(null)
  const list = useRef(null)
  useEffect(() => {
    if (open) list.current.querySelector('[role="menuitem"]')?.focus()
  }, [open])
  const pick = (item) => () => {
    setOpen(false)
    anchor.current.focus()
    item.onPick?.()
  }
  return html`<button
      type="button"
      class=${`button ${kind} ${only ? 'only' : ''}`}
      ref=${anchor}
      aria-haspopup="menu"
      aria-expanded=${open}
      aria-label=${only ? label : null}
      onClick=${() => setOpen(!open)}
    >
      ${icon && html`<${Icon} name=${icon} />`}${!only && label}
    </button>
    ${open &&
    html`<${Float} anchor=${anchor} align=${align} onClose=${() => setOpen(false)} role="menu" label=${label}>
      <div ref=${list} onKeyDown=${(e) => moveFocus(e, '[role="menuitem"]')}>
        ${items.map((item) =>
          item === null
            ? html`<hr />`
            : html`<${item.href ? 'a' : 'button'}
                role="menuitem"
                tabindex="-1"
                class=${item.danger ? 'danger' : ''}
                href=${item.href}
                download=${item.download}
                onClick=${pick(item)}
                ><span>${item.label}</span>${item.note && html`<small>${item.note}</small>`}<//
              >`,
        )}
      </div>
    <//>`}`
}
