import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { html } from '../html.js'
import { Float } from './float.js'
import { Icon } from './icon.js'

const longList = 10 // options from which on one may type to find them

/**
 * A choice from a list, of one or of several options.
 * @param {{ label: string, value: string | string[], options: { value: string, label: string, note?: string }[], onChange: (value: any) => void, icon?: string, plain?: boolean, none?: string, disabled?: boolean, class?: string }} props
 *   label is the name for screen readers. value is a list where several may be chosen; none is what the button says of an empty one.
 */
export function Select({ label, value, options, onChange, icon, plain = false, none = 'None', disabled = false, class: kind = '' }) {
  const [open, setOpen] = useState(false)
  const anchor = useRef(null)
  const many = Array.isArray(value)
  const chosen = options.filter((o) => (many ? value.includes(o.value) : o.value === value))
  const said = chosen.map((o) => o.label).join(', ') || none
  const close = () => setOpen(false)
  const pick = (picked) => {
    if (many) {
      onChange(value.includes(picked) ? value.filter((v) => v !== picked) : [...value, picked])
      return
    }
    close()
    anchor.current.focus()
    onChange(picked)
  }
  return html`<button
      type="button"
      class=${`select ${plain ? 'plain' : ''} ${kind}`}
      ref=${anchor}
      aria-haspopup="listbox"
      aria-expanded=${open}
      aria-label=${`${label}: ${said}`}
      disabled=${disabled}
      onClick=${() => setOpen(!open)}
    >
      ${icon && html`<${Icon} name=${icon} />`}<span class="text">${said}</span><${Icon} name="down" />
    </button>
    ${open && html`<${Options} anchor=${anchor} label=${label} options=${options} chosen=${chosen} many=${many} onPick=${pick} onClose=${close} />`}`
}

function Options({ anchor, label, options, chosen, many, onPick, onClose }) {
  const [find, setFind] = useState('')
  const [at, setAt] = useState(Math.max(0, options.indexOf(chosen[0])))
  const list = useRef(null)
  const long = options.length > longList
  const shown = options.filter((o) => o.label.toLowerCase().includes(find.toLowerCase()))
  useLayoutEffect(() => (long ? list.current.previousElementSibling.firstElementChild : list.current).focus(), [])
  useEffect(() => list.current.querySelector('.at')?.scrollIntoView({ block: 'nearest' }), [at])
  const keys = (e) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 }
    if (e.key in steps) setAt(Math.max(0, Math.min(shown.length - 1, at + steps[e.key])))
    else if (e.key === 'Enter' || (e.key === ' ' && !long)) shown[at] && onPick(shown[at].value)
    else if (e.key === 'Tab') onClose()
    else return
    if (e.key !== 'Tab') e.preventDefault()
  }
  const idOf = (o) => `option-${o.value}`
  const active = shown[at] && idOf(shown[at])
  return html`<${Float} anchor=${anchor} width="anchor" onClose=${onClose}>
    <div onKeyDown=${keys}>
      ${long &&
      html`<div class="find">
        <input
          class="input"
          type="text"
          placeholder="Find"
          aria-label=${`Find in ${label}`}
          role="combobox"
          aria-expanded="true"
          aria-controls="options-found"
          aria-activedescendant=${active}
          value=${find}
          onInput=${(e) => {
            setFind(e.target.value)
            setAt(0)
          }}
        />
      </div>`}
      <div id="options-found" role="listbox" aria-label=${label} aria-multiselectable=${many} tabindex=${long ? -1 : 0} aria-activedescendant=${active} ref=${list}>
        ${shown.map(
          (o, i) => html`<div
            key=${o.value}
            id=${idOf(o)}
            role="option"
            class=${i === at ? 'at' : ''}
            aria-selected=${chosen.includes(o)}
            onPointerMove=${() => setAt(i)}
            onClick=${() => onPick(o.value)}
          >
            <span>${o.label}</span>${o.note && html`<small>${o.note}</small>`}<${Icon} name="check" />
          </div>`,
        )}
        ${shown.length === 0 && html`<p class="none">Nothing here has “${find}” in its name.</p>`}
      </div>
    </div>
  <//>`
}
