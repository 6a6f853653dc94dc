// What the bar on top says about the server, and what every page may need to know of it.
import { addonsIn } from './addons.js'
import { api, signedOut } from './api.js'
import { cell } from './cell.js'

/** "unknown", "ready", "unready" with a reason, or "away". */
export const server = cell({ state: 'unknown' })
/** Whether there is a recording that Talk can play. */
export const sample = cell(false)
/** The answer of GET /v2/models, null until it is known. */
export const models = cell(null)
/** Add-ons of this server beside those that this page knows: name, doc, and the object of requests that the switch stands in. */
export const moreAddons = cell([])
/** How many sessions run, null until it is known. Whoever knows it sets it. */
export const runningSessions = cell(null)

/** Asks whether the server takes sessions, and what it can do. */
export async function refreshStatus(signal) {
  try {
    const { ready, reason, sample: there } = await api('console/status', { signal })
    sample.set(there)
    server.set(ready ? { state: 'ready' } : { state: 'unready', reason })
  } catch (problem) {
    if (problem.name === 'AbortError') return
    server.set({ state: 'away' })
    return
  }
  if (signedOut.get()) return
  try {
    models.set(await api('v2/models', { signal }))
    if (!described) moreAddons.set(addonsIn(await api('openapi.json', { signal })))
    described = true
  } catch {
    // what was known before is still the best guess
  }
}

let described = false // whether moreAddons is known
