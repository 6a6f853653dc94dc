import { html } from '../html.js'

const floor = -60 // dB at which the meter is empty

const part = (decibels) => `${Math.round(Math.max(0, Math.min(1, 1 - decibels / floor)) * 100)}%`

/**
 * The level of a voice.
 * @param {{ level: number, peak?: number, state?: 'off' | 'speaking' | 'clipping', label?: string }} props decibels below full scale, -60 to 0
 */
export function Meter({ level, peak = level, state = 'speaking', label = 'Level' }) {
  const shown = Math.round(Math.max(floor, Math.min(0, level)))
  return html`<div
    class=${`meter ${state}`}
    role="meter"
    aria-label=${label}
    aria-valuemin=${floor}
    aria-valuemax="0"
    aria-valuenow=${shown}
    aria-valuetext=${state === 'clipping' ? 'too loud' : `minus ${-shown} decibels`}
    style=${{ '--level': part(level), '--peak': part(peak) }}
  >
    <i></i><b></b>
  </div>`
}
