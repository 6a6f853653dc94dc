// Which engines are away, and what that means for a session.

const names = { sphinx: 'PocketSphinx', scripted: 'The scripted engine' }

/** Whether an engine takes speech now: one without a model installed is there, but does not. */
export const takesSpeech = (e) => e.available && e.models.length > 0

/** An engine as people call it. */
export const engineName = (name) => names[name] ?? name

/** What an engine decodes with: its model where it has one of that name alone. */
export const servedBy = (e) => (e.models.length === 1 && e.models[0].name !== e.name ? e.models[0].name : engineName(e.name))

/** The licences of an engine's models, as far as they are known; null where none is. */
export const licences = (e) => e.models.filter((m) => m.licence).map((m) => `${m.name}, licence: ${m.licence}`).join('\n') || null

/**
 * What is wrong with the engines of a model, for languages: none where any will do.
 * @returns {{ is: 'none', languages: string[] } | { is: 'stand-in', away: string, by: string } | null} none is there for them; or another one
 *   than the preferred one works; null: nothing is wrong, or nothing is known
 */
export function engineTrouble(models, model, languages = []) {
  const engines = (models?.models.find((m) => m.model === model)?.engines ?? []).filter((e) => !e.available || takesSpeech(e))
  const able = engines.filter((e) => languages.length === 0 || e.languages.length === 0 || languages.some((l) => e.languages.includes(l)))
  if (able.length === 0) return null
  const here = able.find((e) => e.available)
  if (!here) return { is: 'none', languages }
  return able[0].available ? null : { is: 'stand-in', away: able[0].name, by: here.name }
}

/** That of the model that requests get which name none. */
export const defaultTrouble = (models) => engineTrouble(models, models?.models.find((m) => m.default)?.model)
