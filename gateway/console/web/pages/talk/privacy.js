import { listed } from '../../lib/format.js'

const ours = ['embedded', 'engine', 'apertium'] // add-ons by these work on this machine, or where the engine does
const addons = { entities: 'named_entity_recognition', sentiment: 'sentiment_analysis', translation: 'translation', summary: 'summarization', chapters: 'chapterization' }

/** Where audio and words go, as far as the gateway tells; empty before it has. */
export function whereItGoes(models, options) {
  const engines = models?.models.find((m) => m.model === options.model)?.engines
  if (!engines?.length) return ''
  const away = engines.filter((e) => !e.local).map((e) => e.name)
  const readers = Object.entries(addons)
    .filter(([key]) => options[key])
    .flatMap(([, name]) => models.addons.find((a) => a.name === name)?.by ?? [])
    .filter((by) => !ours.includes(by))
    .map((by) => (by === 'llm' ? 'a language model' : by))
  const audio = away.length > 0 ? `Audio goes to this server, which passes it on to ${listed(away)}.` : ''
  const words = readers.length > 0 ? `Words go on to ${listed([...new Set(readers)])}.` : ''
  if (!audio && !words) return 'Audio goes to this server and no further.'
  return [audio || 'Audio goes to this server and no further.', words].filter(Boolean).join(' ')
}
