// Requests to the gateway. The cookie of the sign-in goes with them; its key is never here.
import { cell } from './cell.js'

/** The address of the gateway, with a final slash. The page is /console below it. */
export const base = new URL('./', document.baseURI).href

/** Whether a request was refused because the sign-in has ended. */
export const signedOut = cell(false)

let mayAsk = new AbortController()

/**
 * Ends the requests that are under way and refuses others, with an AbortError, until the function that it returns is called: while a
 * sign-in ends, its cookie is good for nothing more. What concerns the sign-in itself is asked nevertheless.
 */
export function holdRequests() {
  mayAsk.abort()
  return () => (mayAsk = new AbortController())
}

/** Why a request failed. status is that of HTTP, 0 where nothing answered. */
export class Problem extends Error {
  /** @param {{ message?: string, validation_errors?: string[] }} body */
  constructor(status, body, retryAfter) {
    super(body.message ?? 'steno does not answer')
    this.status = status
    /** What was wrong with the fields of a request, each a sentence with the field's name. */
    this.faults = body.validation_errors ?? []
    /** Seconds after which another attempt may succeed, where the server says it; else null. */
    this.retryAfter = retryAfter
  }
}

/**
 * Makes a request and returns the answer of the server. Errors: Problem, AbortError.
 * @param {string} path below the gateway's address, without a leading slash: 'v2/live'
 * @param {{ method?: string, json?: any, body?: BodyInit, headers?: Record<string, string>, signal?: AbortSignal, quiet?: boolean }} options
 *   json is sent as such; quiet says that a 401 is no news.
 */
export async function ask(path, { method = 'GET', json, body, headers = {}, signal, quiet = false } = {}) {
  const sent = json === undefined ? { body, headers } : { body: JSON.stringify(json), headers: { 'content-type': 'application/json', ...headers } }
  const signals = [signal, path !== 'console/login' && mayAsk.signal].filter(Boolean)
  let answer
  try {
    answer = await fetch(base + path, { method, signal: AbortSignal.any(signals), credentials: 'same-origin', ...sent })
  } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new Problem(0, {})
  }
  if (answer.ok) {
    return answer
  }
  const told = await answer.json().catch(() => null)
  if (!told && [502, 504].includes(answer.status)) throw new Problem(0, {}) // a proxy says that nothing answered
  if (answer.status === 401 && !quiet) signedOut.set(true)
  const after = Number(answer.headers.get('retry-after'))
  throw new Problem(answer.status, told ?? { message: answer.statusText }, after > 0 ? after : null)
}

/** Makes a request and returns the JSON of the answer; null where it has no body. Errors and options: those of ask. */
export async function api(path, options) {
  const answer = await ask(path, options)
  const text = await answer.text()
  return text === '' ? null : JSON.parse(text)
}

/** The address of a WebSocket of the gateway, by which this page reached it. */
export const socketAddress = (path) => base.replace(/^http/, 'ws') + path
