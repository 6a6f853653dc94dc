import { Copy } from '../../components/copy.js'
import { Icon } from '../../components/icon.js'
import { ShareLink } from '../../components/share-link.js'
import { html } from '../../html.js'
import { useCell } from '../../lib/cell.js'
import { licences, servedBy, takesSpeech } from '../../lib/engines.js'
import { language, length, listed, translationsOf } from '../../lib/format.js'
import { models } from '../../lib/status.js'
import { current, heard, phase } from './recording.js'

const sizes = 3

// What is said while only PocketSphinx is there.
const better = 'makes many mistakes; a better model: steno models pull moonshine-tiny-en'

/** Facts about the session, and what can be done with its words. */
export function StageBar({ options, confidence, onConfidence, size, onSize, onPanel, open }) {
  const state = useCell(phase)
  const shareable = current?.session && ['recording', 'resuming'].includes(state)
  return html`<div class="stage-bar">
    <div class="facts grow"><${Facts} options=${options} state=${state} /></div>
    <span class="row wide">
      <button type="button" class="button quiet small" aria-pressed=${confidence} title="Show words of low confidence" onClick=${() => onConfidence(!confidence)}>
        Confidence
      </button>
      <button type="button" class="button quiet small only" aria-label="Text size" title="Text size" onClick=${() => onSize((size + 1) % sizes)}><${Icon} name="size" /></button>
      <${Copy} text=${() => current.conversation.text()} disabled=${!current?.conversation.finals} />
      ${shareable && html`<${ShareLink} session=${current.id} languages=${translationsOf(current.request)} />`}
    </span>
    <button type="button" class=${`button quiet small only open-panel${open ? ' has-panel' : ''}`} aria-label="Options, messages, code" onClick=${onPanel}><${Icon} name="options" /></button>
  </div>`
}

function Facts({ options, state }) {
  const seconds = useCell(heard)
  const known = useCell(models)
  if (state === 'ended') return html`<span>Ended after ${length(seconds)}, saved as a record</span>`
  const model = known?.models.find((m) => m.model === options.model)
  const engine = model?.engines.find(takesSpeech)
  const spoken = options.languages.length > 0 ? listed(options.languages.map(language)) : languageLeftOpen(model)
  const by = engine ? `${options.model} by ${servedBy(engine)}` : options.model
  const licence = engine ? licences(engine) : null
  if (state === 'idle') return html`<span title=${licence}>${spoken ? `${spoken}, ${by}` : by}</span>${engine?.name === 'sphinx' && html`<span class="wide">${better}</span>`}`
  return html`<span class="row"><i class="dot live"></i>${heardLanguage() ?? spoken}</span><span title=${licence}>${by}</span><span class="wide">16 kHz, 1 channel</span>`
}

/** The language of the last final, where one has come. */
function heardLanguage() {
  const code = current?.conversation.items.findLast((i) => i.utterance)?.utterance.language
  return code && language(code)
}

/** What is said where no language was chosen. */
export function languageLeftOpen(model) {
  if (!model) return ''
  if (model.languages.length === 1) return language(model.languages[0])
  return model.language_detection ? 'Any language' : language(model.languages.includes('en') ? 'en' : model.languages[0])
}
