import { useEffect, useState } from 'preact/hooks'
import { html } from '../html.js'
import { Icon } from './icon.js'

/** Puts a text on the clipboard. Without a secure context there is none, and the text is selected from a field. */
export async function copyText(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text)
    return
  }
  const field = document.body.appendChild(document.createElement('textarea'))
  field.value = text
  field.select()
  document.execCommand('copy')
  field.remove()
}

/**
 * A button that copies, and says so for a while.
 * @param {{ text: string | (() => string), label?: string, only?: boolean, class?: string, disabled?: boolean }} props only: without words
 */
export function Copy({ text, label = 'Copy', only = false, class: kind = 'quiet small', disabled = false }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    await copyText(typeof text === 'function' ? text() : text)
    setCopied(true)
  }
  return html`<button type="button" class=${`button ${kind} ${only ? 'only' : ''}`} aria-label=${only ? (copied ? 'Copied' : label) : null} disabled=${disabled} onClick=${copy}>
    <${Icon} name=${copied ? 'check' : 'copy'} />${!only && (copied ? 'Copied' : label)}
  </button>`
}

/** A command for a shell, with a button that copies it. */
export function Command({ text }) {
  return html`<div class="command"><code>${text}</code><${Copy} text=${text} label="Copy the command" only /></div>`
}
