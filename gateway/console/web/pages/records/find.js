import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../components/icon.js'
import { html } from '../../html.js'
import { api } from '../../lib/api.js'
import { count } from '../../lib/format.js'
import { useShortcut } from '../../lib/shortcuts.js'

const most = 500 // places that can be gone through

/** Finds a text in a record: the server looks for it, since a long record is never here as a whole. */
export function Find({ path, text, onText, onGo }) {
  const [field, setField] = useState(text)
  const [found, setFound] = useState(null) // { total, numbers }
  const [at, setAt] = useState(0)
  useShortcut('/', () => document.querySelector('.find-in-record input')?.focus())
  useEffect(() => setField(text), [text])
  useEffect(() => {
    const wait = setTimeout(() => field !== text && onText(field), 250)
    return () => clearTimeout(wait)
  }, [field])
  useEffect(() => {
    setFound(null)
    if (!text) return undefined
    const end = new AbortController()
    api(`${path}/utterances?words=false&limit=${most}&text=${encodeURIComponent(text)}`, { signal: end.signal }).then(
      ({ total, items }) => {
        setFound({ total, numbers: items.map((i) => i.number) })
        setAt(0)
        if (items.length > 0) onGo(items[0].number)
      },
      () => {},
    )
    return () => end.abort()
  }, [path, text])
  const go = (by) => {
    if (!found?.numbers.length) return
    const next = (at + by + found.numbers.length) % found.numbers.length
    setAt(next)
    onGo(found.numbers[next])
  }
  const keys = (e) => {
    if (e.key === 'Enter') go(e.shiftKey ? -1 : 1)
    else if (e.key === 'Escape' && field) setField('')
    else return
    e.preventDefault()
  }
  return html`<div class="find-in-record">
    <label class="search">
      <${Icon} name="search" />
      <input
        class="input"
        type="search"
        aria-label="Find in this record"
        placeholder="Find in this record"
        maxlength="200"
        value=${field}
        onInput=${(e) => setField(e.target.value)}
        onKeyDown=${keys}
      />
    </label>
    ${found &&
    html`<span class="row second mid" role="status">
      ${found.total === 0 ? 'nowhere' : html`<span class="num">${at + 1}</span> of <span class="num">${count(found.total)}</span>`}
      ${found.total > 1 &&
      html`<button type="button" class="button quiet small only" aria-label="Previous place" onClick=${() => go(-1)}><${Icon} name="up" /></button>
        <button type="button" class="button quiet small only" aria-label="Next place" onClick=${() => go(1)}><${Icon} name="down" /></button>`}
    </span>`}
  </div>`
}
