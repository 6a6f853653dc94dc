import './talk.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Following } from '../../components/following.js'
import { Pad } from '../../components/pad.js'
import { html } from '../../html.js'
import { useCell } from '../../lib/cell.js'
import { clock } from '../../lib/format.js'
import { recall, usePreference } from '../../lib/preferences.js'
import { useShortcut } from '../../lib/shortcuts.js'
import { Afterword } from './afterword.js'
import { Bars } from './bars.js'
import { Deck } from './deck.js'
import { Hello } from './hello.js'
import { defaults } from './options.js'
import { Panel } from './panel.js'
import { begin, chosenDevice, current, heard, phase, stop, version } from './recording.js'
import { StageBar } from './stage-bar.js'
import { Strip } from './strip.js'

const running = ['opening', 'recording', 'resuming', 'finishing']
const narrow = matchMedia('(max-width: 1100px)')

/** The page to talk into. */
export function Talk() {
  const [saved, setOptions] = usePreference('talk.options', {})
  const [panel, setPanel] = usePreference('talk.panel', narrow.matches ? null : 'options')
  const [confidence, setConfidence] = usePreference('talk.confidence', true)
  const [size, setSize] = usePreference('talk.size', 1)
  const [sheet, setSheet] = useState(false) // on narrow screens the panel lies over the page, and is not open at first
  const file = useRef(null)
  const options = { ...defaults, ...saved }
  const state = useCell(phase)
  useCell(version)
  useTitle(state)

  const talk = () => begin(options, { kind: 'microphone', deviceId: chosenDevice() })
  const chooseFile = () => file.current.click()
  const play = (e) => {
    const [chosen] = e.target.files
    e.target.value = ''
    if (chosen) begin(options, { kind: 'file', file: chosen })
  }
  const playSample = () => begin(options, { kind: 'sample' })
  const show = (tab) => {
    setPanel(tab)
    setSheet(tab !== null)
  }
  const toggle = (tab) => () => show(panel === tab && (sheet || !narrow.matches) ? null : tab)
  useShortcut('Space', () => (running.includes(state) ? stop() : talk()))
  useShortcut('o', toggle('options'))
  useShortcut('m', toggle('messages'))
  useShortcut('c', toggle('code'))
  useShortcut('Escape', () => show(null), sheet)

  const conversation = current?.conversation
  const pad = conversation && conversation.items.length > 0
  const look = `talk live size-${size}${confidence ? '' : ' plain-words'}${panel ? ' with-panel' : ''}${sheet ? ' sheet' : ''}`
  return html`<main class=${look} id="main" tabindex="-1">
    <section class="stage" aria-label="Transcript">
      <${StageBar} options=${options} confidence=${confidence} onConfidence=${setConfidence} size=${size} onSize=${setSize} onPanel=${() => show(panel ?? 'options')} open=${panel !== null} />
      <div><${Bars} options=${options} onFile=${chooseFile} onTalk=${talk} /></div>
      ${pad
        ? html`<${Following} finals=${conversation.finals}>
            <${Pad} items=${conversation.items} named=${conversation.voices.size > 1} />
            ${(conversation.summary || conversation.chapters) && html`<${Afterword} summary=${conversation.summary} chapters=${conversation.chapters} />`}
          <//>`
        : html`<${Hello} running=${running.includes(state)} options=${options} onFile=${chooseFile} onSample=${playSample} />`}
      <div class="dock"><${Strip} /><${Deck} onTalk=${talk} /></div>
    </section>
    ${panel !== null && html`<${Panel} tab=${panel} onTab=${setPanel} onClose=${() => show(null)} options=${options} onOptions=${setOptions} />`}
    ${sheet && html`<div class="sheet-veil" onClick=${() => setSheet(false)}></div>`}
    <input type="file" accept="audio/*,video/*" hidden ref=${file} onChange=${play} aria-label="A recording" />
  </main>`
}

/** The tab says that a recording runs, and for how long. */
function useTitle(state) {
  const seconds = Math.floor(useCell(heard))
  useEffect(() => {
    document.title = (running.includes(state) ? `● ${clock(seconds)} ` : '') + 'Talk · steno'
  }, [state, seconds])
}
