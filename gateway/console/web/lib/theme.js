import { recall, remember } from './preferences.js'
import { cell } from './cell.js'

const system = matchMedia('(prefers-color-scheme: dark)')
const chosen = () => recall('theme', system.matches ? 'dark' : 'light')

/** The theme that is shown: "light" or "dark". Canvases are drawn again when it changes. */
export const theme = cell(chosen())
system.addEventListener('change', () => theme.set(chosen()))

/** Changes to the other theme and remembers it. */
export function changeTheme() {
  const next = theme.get() === 'dark' ? 'light' : 'dark'
  remember('theme', next)
  document.documentElement.dataset.theme = next
  theme.set(next)
}

/** The colours of tokens as a canvas takes them, by their names without dashes: inks('accent', 'voice-1'). */
export function inks(...names) {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.hidden = true
  const colours = {}
  for (const name of names) {
    probe.style.color = `var(--${name})`
    colours[name] = getComputedStyle(probe).color
  }
  probe.remove()
  return colours
}
