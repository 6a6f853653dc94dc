import { html } from '../html.js'

/**
 * A slider under its name and value.
 * @param {{ label: string, value: number, min: number, max: number, step: number, text: (value: number) => string, onChange: (value: number) => void, scale?: 'log', disabled?: boolean, hint?: string }} props
 *   text writes the value; with scale "log" the slider gives small values as much room as large ones.
 */
export function Slider({ label, value, min, max, step, text, onChange, scale, disabled = false, hint }) {
  const there = (v) => (scale === 'log' ? Math.log(v / min) / Math.log(max / min) : (v - min) / (max - min))
  const back = (x) => {
    const v = scale === 'log' ? min * (max / min) ** x : min + x * (max - min)
    return Math.min(max, Math.max(min, Number((Math.round(v / step) * step).toFixed(4))))
  }
  const at = there(value)
  return html`<label class="field">
    <span class="name">${label}<span class="value">${text(value)}</span></span>
    <input
      class="slider"
      type="range"
      min="0"
      max="1"
      step=${scale === 'log' ? 0.01 : step / (max - min)}
      value=${at}
      disabled=${disabled}
      aria-label=${label}
      aria-valuetext=${text(value)}
      style=${{ '--at': `calc(${at} * (100% - 16px) + 8px)` }}
      onInput=${(e) => onChange(back(Number(e.target.value)))}
    />
    ${hint && html`<span class="hint">${hint}</span>`}
  </label>`
}
