import { useEffect, useState } from 'preact/hooks'
import { Dialog } from '../../components/dialog.js'
import { Icon } from '../../components/icon.js'
import { Meter } from '../../components/meter.js'
import { Select } from '../../components/select.js'
import { html } from '../../html.js'
import { api } from '../../lib/api.js'
import { useCell } from '../../lib/cell.js'
import { clock, count } from '../../lib/format.js'
import { usePreference } from '../../lib/preferences.js'
import { href } from '../../lib/router.js'
import { current, delays, forget, heard, level, phase, stop } from './recording.js'

/** What one presses, how long it runs, what is heard, how quick it is. */
export function Deck({ onTalk }) {
  const state = useCell(phase)
  return html`<div class="deck">
      <${TalkButton} state=${state} onTalk=${onTalk} /><${Clock} state=${state} />
      ${state === 'ended' ? html`<${After} />` : html`<${Input} state=${state} />`}
      <${Delays} />
    </div>
    <${Delays} line />`
}

function TalkButton({ state, onTalk }) {
  switch (state) {
    case 'recording':
      return html`<button type="button" class="talk-button on" onClick=${stop}><i></i>Stop</button>`
    case 'resuming':
      return html`<button type="button" class="talk-button wait" onClick=${stop}><i></i>Stop</button>`
    case 'opening':
      return html`<button type="button" class="talk-button on" disabled><i></i>Opening</button>`
    case 'finishing':
      return html`<button type="button" class="talk-button on" disabled><i></i>Finishing</button>`
  }
  return html`<button type="button" class="talk-button" onClick=${onTalk}><${Icon} name="microphone" />${state === 'ended' ? 'Talk again' : 'Talk'}</button>`
}

function Clock({ state }) {
  const [whole, tenths] = clock(useCell(heard), 1).split('.')
  return html`<div class="clock-box"><span class=${`clock${state === 'idle' ? ' dim' : ''}`}>${whole}<small>.${tenths}</small></span></div>`
}

function Input({ state }) {
  const { level: now, peak, clipping } = useCell(level)
  const on = state === 'recording' || state === 'resuming'
  const from = on && current?.from
  return html`<div class="input-box">
    ${from && from.kind !== 'microphone' ? html`<span class="playing">${from.file?.name ?? 'The sample'}</span>` : html`<${Microphones} locked=${state !== 'idle'} />`}
    <${Meter} level=${on ? now : -60} peak=${on ? peak : -60} state=${!on ? 'off' : clipping ? 'clipping' : 'speaking'} />
    ${on && clipping && html`<small class="loud">too loud</small>`}
  </div>`
}

/** The microphones that there are. Browsers tell their names once one was allowed. */
function Microphones({ locked }) {
  const [device, setDevice] = usePreference('talk.device', '')
  const [list, setList] = useState([])
  useEffect(() => {
    const media = navigator.mediaDevices
    if (!media) return undefined
    const find = () => media.enumerateDevices().then((all) => setList(all.filter((d) => d.kind === 'audioinput')), () => {})
    find()
    media.addEventListener('devicechange', find)
    return () => media.removeEventListener('devicechange', find)
  }, [locked])
  const named = list.filter((d) => d.label && d.deviceId !== 'default')
  if (named.length === 0) return html`<span class="playing">Microphone</span>`
  const options = [{ value: '', label: 'Default microphone' }, ...named.map((d) => ({ value: d.deviceId, label: d.label }))]
  const value = named.some((d) => d.deviceId === device) ? device : ''
  return html`<${Select} label="Microphone" plain value=${value} options=${options} disabled=${locked} onChange=${(id) => setDevice(id || undefined)} />`
}

/** What can be done with a recording that has ended. */
function After() {
  const [asks, setAsks] = useState(false)
  const [problem, setProblem] = useState('')
  const discard = async () => {
    try {
      await api(`v2/live/${current.id}`, { method: 'DELETE' })
      forget()
    } catch (refused) {
      setProblem(refused.message)
    }
  }
  const actions = html`<button type="button" class="button" autofocus onClick=${() => setAsks(false)}>Keep</button>
    <button type="button" class="button danger solid" onClick=${discard}>Delete the record</button>`
  return html`<div class="after">
    <a class="button" href=${href(['records', current.id])}>Open the record</a>
    <button type="button" class="button quiet" onClick=${() => setAsks(true)}>Discard</button>
    ${asks &&
    html`<${Dialog} title="Delete this record?" onClose=${() => setAsks(false)} actions=${actions}>
      <p>${problem ? `It was not deleted: ${problem}.` : 'Its audio and words are gone then, from this page too. Nobody can bring them back.'}</p>
    <//>`}
  </div>`
}

const slow = { ack: 500, partial: 500, final: 1000 } // ms from which a delay is amber

function Delays({ line = false }) {
  const all = useCell(delays)
  return html`<dl class=${`delays${line ? ' line' : ''}`} title="Medians of the last 20, from when it was heard">
    ${Object.entries(all).map(
      ([name, ms]) => html`<div key=${name} class=${ms !== null && ms >= slow[name] ? 'over' : ''}>
        <dt>${name}</dt>
        <dd class="num">${ms === null ? '–' : count(ms)}<small>ms</small></dd>
      </div>`,
    )}
  </dl>`
}
