/** Moves the focus between the elements of a row or a list by arrow keys, Home and End. */
export function moveFocus(event, selector) {
  const all = [...event.currentTarget.querySelectorAll(selector)].filter((e) => !e.disabled)
  const at = all.indexOf(document.activeElement)
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
  let next
  if (event.key in steps) next = all[(at + steps[event.key] + all.length) % all.length]
  else if (event.key === 'Home') next = all[0]
  else if (event.key === 'End') next = all.at(-1)
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** Keeps Tab within an element. */
export function keepFocus(event) {
  if (event.key !== 'Tab') return
  const all = [...event.currentTarget.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]')].filter((e) => !e.disabled)
  const edge = event.shiftKey ? all[0] : all.at(-1)
  if (document.activeElement !== edge || all.length === 0) return
  event.preventDefault()
  ;(event.shiftKey ? all.at(-1) : all[0]).focus()
}
