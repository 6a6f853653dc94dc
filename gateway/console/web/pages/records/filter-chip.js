import { useEffect, useRef, useState } from 'preact/hooks'
import { Float } from '../../components/float.js'
import { Icon } from '../../components/icon.js'
import { html } from '../../html.js'
import { moveFocus } from '../../lib/focus.js'

/**
 * A filter of a list: a chip that opens its choices, and when one is chosen takes it off again.
 * @param {{ label: string, value: string, options: { value: string, label: string }[], onChange: (value: string) => void }} props label says that all is shown
 */
export function FilterChip({ label, value, options, onChange }) {
  const [open, setOpen] = useState(false)
  const anchor = useRef(null)
  const list = useRef(null)
  const chosen = options.find((o) => o.value === value)
  useEffect(() => {
    if (open) list.current.querySelector('[role="menuitemradio"]')?.focus()
  }, [open])
  if (value) {
    return html`<button type="button" class="chip" aria-pressed="true" aria-label=${`${chosen?.label ?? value}: take this filter off`} onClick=${() => onChange('')}>
      ${chosen?.label ?? value}<${Icon} name="close" />
    </button>`
  }
  const pick = (o) => () => {
    setOpen(false)
    onChange(o.value)
  }
  return html`<button type="button" class="chip" ref=${anchor} aria-haspopup="menu" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      ${label}<${Icon} name="down" />
    </button>
    ${open &&
    html`<${Float} anchor=${anchor} role="menu" label=${label} onClose=${() => setOpen(false)}>
      <div ref=${list} onKeyDown=${(e) => moveFocus(e, '[role="menuitemradio"]')}>
        ${options.map((o) => html`<button key=${o.value} type="button" role="menuitemradio" aria-checked="false" tabindex="-1" onClick=${pick(o)}><span>${o.label}</span></button>`)}
      </div>
    <//>`}`
}

/** A filter by a field of the metadata: a name and a value that are typed. */
export function MetadataChip({ value, onChange }) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [is, setIs] = useState('')
  const anchor = useRef(null)
  const form = useRef(null)
  useEffect(() => {
    if (open) form.current.querySelector('input').focus()
  }, [open])
  if (value) {
    return html`<button type="button" class="chip" aria-pressed="true" aria-label=${`${value}: take this filter off`} onClick=${() => onChange('')}>${value}<${Icon} name="close" /></button>`
  }
  const submit = (e) => {
    e.preventDefault()
    if (!name.trim() || !is.trim()) return
    setOpen(false)
    onChange(`${name.trim()}=${is.trim()}`)
  }
  return html`<button type="button" class="chip" ref=${anchor} aria-haspopup="dialog" aria-expanded=${open} onClick=${() => setOpen(!open)}>Metadata<${Icon} name="down" /></button>
    ${open &&
    html`<${Float} anchor=${anchor} role="dialog" label="Metadata" width="min(300px, calc(100vw - 24px))" class="wide-body" onClose=${() => setOpen(false)}>
      <form class="metadata-form" ref=${form} onSubmit=${submit}>
        <label class="field"><span class="name">Field</span><input class="input" value=${name} placeholder="team" onInput=${(e) => setName(e.target.value)} /></label>
        <label class="field"><span class="name">Value</span><input class="input" value=${is} placeholder="harbour" onInput=${(e) => setIs(e.target.value)} /></label>
        <button type="submit" class="button">Show only these</button>
      </form>
    <//>`}`
}
