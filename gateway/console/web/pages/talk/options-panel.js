import { Notice } from '../../components/notice.js'
import { Select } from '../../components/select.js'
import { Slider } from '../../components/slider.js'
import { Toggle } from '../../components/toggle.js'
import { html } from '../../html.js'
import { useCell } from '../../lib/cell.js'
import { takesSpeech } from '../../lib/engines.js'
import { language, listed, named, several } from '../../lib/format.js'
import { models, moreAddons } from '../../lib/status.js'
import { defaults, wordsOf } from './options.js'
import { phase } from './recording.js'
import { languageLeftOpen } from './stage-bar.js'

const byName = (a, b) => a.label.localeCompare(b.label)
/** Codes with those first that most readers look for. */
const knownFirst = (codes) => [...common.filter((c) => codes.includes(c)), ...codes.filter((c) => !common.includes(c))]
const languageOptions = (codes) => codes.map((code) => ({ value: code, label: language(code), note: code })).sort(byName)

/** What the next session is opened with. */
export function Options({ options, onOptions }) {
  const known = useCell(models)
  const running = !['idle', 'ended'].includes(useCell(phase))
  const set = (change) => onOptions({ ...options, ...change })
  const model = known?.models.find((m) => m.model === options.model)
  return html`<div class="panel-body">
      <div class="options">
        ${running && html`<${Notice} box icon="lock" title="Kept as they are until you stop.">Changes count from the next session.<//>`}
        <${Language} model=${model} chosen=${options.languages} onChange=${(languages) => set({ languages })} />
        <${Model} known=${known} model=${model} chosen=${options.model} onChange=${(name) => set({ model: name, languages: [] })} />
        <${Speech} options=${options} set=${set} />
        <${Addons} known=${known} options=${options} set=${set} />
      </div>
    </div>
    <div class="panel-foot">
      <span class="grow">Kept in this browser</span>
      <button type="button" class="button small" onClick=${() => onOptions(defaults)}>Reset</button>
    </div>`
}

function Language({ model, chosen, onChange }) {
  const codes = model?.languages ?? []
  const names = languageOptions(codes)
  const first = knownFirst(codes).slice(0, 3).map(language)
  const served = names.length > 3 ? `${first.join(', ')} and ${names.length - 3} more are served here.` : `${listed(first)} ${names.length === 1 ? 'is' : 'are'} served here.`
  const open = model?.language_detection ? ' Choose several, or none, and it is found in the first sentence.' : ''
  return html`<div class="field">
    <span class="name" aria-hidden="true">Language</span>
    <${Select}
      label="Language"
      icon="globe"
      value=${chosen.filter((c) => codes.includes(c))}
      options=${names}
      none=${languageLeftOpen(model) || 'Any language'}
      onChange=${onChange}
    />
    ${names.length > 0 && html`<span class="hint">${served}${open}</span>`}
  </div>`
}

function Model({ known, model, chosen, onChange }) {
  const live = (known?.models ?? []).filter((m) => m.modes.includes('live'))
  const [first, ...others] = model?.engines.filter(takesSpeech) ?? []
  const hint = first && `Recognized by ${first.name}${others.length > 0 ? `; ${listed(others.map((e) => e.name))} ${others.length > 1 ? 'stand' : 'stands'} in` : ''}.`
  return html`<div class="field">
    <span class="name" aria-hidden="true">Model</span>
    <${Select} label="Model" value=${chosen} options=${live.map((m) => ({ value: m.model, label: m.model }))} none=${chosen} onChange=${onChange} />
    <span class="hint">${hint ?? 'No engine is there for it now.'}</span>
  </div>`
}

function Speech({ options, set }) {
  return html`<${Slider}
      label="An utterance ends after"
      value=${options.endpointing}
      min=${0.01}
      max=${10}
      step=${0.01}
      scale="log"
      text=${(v) => `${v.toFixed(2)} s`}
      hint="of silence. 0.05 answers soonest, 0.3 gives more whole sentences."
      onChange=${(endpointing) => set({ endpointing })}
    />
    <div class="two">
      <${Slider} label="Longest utterance" value=${options.longest} min=${5} max=${60} step=${1} text=${(v) => `${v} s`} onChange=${(longest) => set({ longest })} />
      <${Slider} label="Speech threshold" value=${options.threshold} min=${0} max=${1} step=${0.05} text=${(v) => v.toFixed(2)} onChange=${(threshold) => set({ threshold })} />
    </div>
    <${Option} title="Reduce noise" note="Cleans each channel before it is heard" on=${options.enhance} onChange=${(enhance) => set({ enhance })} />`
}

function Option({ title, note, on, onChange, available = true }) {
  return html`<div class=${`option${available ? '' : ' off'}`}>
    <span>${title}</span><small>${note}</small><${Toggle} label=${title} on=${on && available} disabled=${!available} onChange=${onChange} />
  </div>`
}

/** How an add-on is done here, in a few words. */
function by(addon, embedded) {
  const [first] = addon?.by ?? []
  if (first === 'embedded') return embedded
  if (first === 'llm') return 'By a language model'
  if (first === 'engine') return 'By the engine'
  return first ? `By ${first}` : embedded
}

function Addons({ known, options, set }) {
  const more = useCell(moreAddons)
  const find = (name) => known?.addons.find((a) => a.name === name)
  const can = (name) => {
    const addon = find(name)
    return !addon || (addon.available && addon.modes.includes('live'))
  }
  const option = (name, key, title, embedded) => {
    const available = can(name)
    const note = available ? by(find(name), embedded) : 'Nothing that does it is configured here'
    return html`<${Option} title=${title} note=${note} on=${options[key]} available=${available} onChange=${(on) => set({ [key]: on })} />`
  }
  return html`<h3>While you speak</h3>
    ${option('named_entity_recognition', 'entities', 'Entities', 'Times, places, numbers. Grammar and word lists')}
    <${Translation} addon=${find('translation')} available=${can('translation')} options=${options} set=${set} />
    ${option('sentiment_analysis', 'sentiment', 'Sentiment', 'By lexicon, English only')}
    ${option('diarization', 'speakers', 'Speakers', 'Coarse while live; better in records')}
    <${Vocabulary} options=${options} set=${set} />
    <h3>At the end</h3>
    ${option('summarization', 'summary', 'Summary', 'Picks the sentences that carry most')} ${option('chapterization', 'chapters', 'Chapters', 'Where the subject changes')}
    ${more.length > 0 && html`<h3>More of this server</h3>`}
    ${more.map((a) => html`<${Option} key=${a.name} title=${named(a.name)} note=${a.doc} on=${a.name in options.more} available=${can(a.name)} onChange=${(on) => set({ more: withAddon(options.more, a, on) })} />`)}`
}

/** The further add-ons that are chosen, with one switched on or off. */
function withAddon(more, { name, place }, on) {
  const { [name]: _, ...others } = more
  return on ? { ...others, [name]: place } : others
}

function Translation({ addon, available, options, set }) {
  const pairs = addon?.translators?.flatMap((t) => Object.values(t.pairs ?? {}).flat()) ?? []
  const any = addon?.translators?.some((t) => t.any)
  const targets = languageOptions(any || pairs.length === 0 ? common : [...new Set(pairs)])
  const names = options.targets.map(language)
  const chosen = names.length > 0 ? `Into ${listed(names)}` : 'Choose into which languages'
  const note = !available ? 'No translator is configured here' : options.translation ? chosen : by(addon, 'Into another language')
  return html`<${Option} title="Translation" note=${note} on=${options.translation} available=${available} onChange=${(translation) => set({ translation })} />
    ${options.translation && available && html`<${Select} label="Translate into" value=${options.targets} options=${targets} none="Choose languages" onChange=${(list) => set({ targets: list })} />`}`
}

const common = ['en', 'fr', 'de', 'es', 'it', 'pt', 'nl', 'pl', 'uk', 'tr', 'ar', 'hi', 'ja', 'ko', 'zh']

function Vocabulary({ options, set }) {
  const words = wordsOf(options.words)
  const more = words.length > 2 ? ` and ${words.length - 2} more` : ''
  const note = words.length > 0 ? words.slice(0, 2).join(', ') + more : 'Names and words to expect'
  return html`<${Option} title="Vocabulary" note=${note} on=${options.vocabulary} onChange=${(vocabulary) => set({ vocabulary })} />
    ${options.vocabulary &&
    html`<label class="field">
      <textarea class="input" rows="3" aria-label="Vocabulary" placeholder="One a line" onInput=${(e) => set({ words: e.target.value })}>${options.words}</textarea>
      <span class="hint">${several(words.length, 'word')}. A handful is heard best, a thousand hardly.</span>
    </label>`}`
}
