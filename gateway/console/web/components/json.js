import { html } from '../html.js'

const longList = 4 // items from which on a list of objects is folded

/** JSON that is indented, with long lists of objects folded into their number. */
export function Json({ value }) {
  return html`<div class="json" tabindex="0" role="region" aria-label="JSON">${written(value, '')}</div>`
}

function written(value, indent) {
  if (Array.isArray(value)) return list(value, indent)
  if (value !== null && typeof value === 'object') return object(value, indent)
  return html`<span class=${typeof value === 'string' ? 'string' : 'number'}>${JSON.stringify(value)}</span>`
}

function list(items, indent) {
  if (items.length >= longList && typeof items[0] === 'object') return html`[ <span class="name">${items.length} items</span> ]`
  const plain = items.every((i) => typeof i !== 'object')
  const deeper = plain ? '' : indent + '  '
  return html`[${items.map((item, n) => html`${plain ? n > 0 && ' ' : '\n' + deeper}${written(item, deeper)}${n < items.length - 1 && ','}`)}${!plain && items.length > 0 && '\n' + indent}]`
}

function object(fields, indent) {
  const names = Object.keys(fields)
  const deeper = indent + '  '
  return html`{${names.map((name, n) => html`${'\n' + deeper}<span class="name">"${name}"</span>: ${written(fields[name], deeper)}${n < names.length - 1 && ','}`)}${names.length > 0 && '\n' + indent}}`
}
