// Follows sessions by server-sent events, over fetch: a token goes into a header, never into an address.
import { base } from '../../lib/api.js'

const shortest = 500 // ms until the first attempt after the connection was lost
const longest = 8000

/** Splits a stream of server-sent events. Feed it pieces of text; it calls take with { id, type, data } of each event. */
export class EventParser {
  #rest = ''

  constructor(take) {
    this.take = take
  }

  feed(text) {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop()
    for (const block of blocks) {
      const event = { id: '', type: '', data: '' }
      for (const line of block.split('\n')) {
        const at = line.indexOf(': ')
        if (at < 0) continue
        const value = line.slice(at + 2)
        if (line.startsWith('id')) event.id = value
        else if (line.startsWith('event')) event.type = value
        else if (line.startsWith('data')) event.data += event.data ? '\n' + value : value
      }
      if (event.data) this.take(event)
    }
  }
}

/**
 * Follows events until close, and takes up again where the connection was lost.
 * @param {string} path below the gateway's address
 * @param {{ token?: string, onEvent: (event: { id: string, type: string, message: any }) => void, onState: (state: object) => void }} options
 *   onState is told { is: 'open' | 'lost' | 'ended' | 'failed', reason?, status? }; after ended and failed nothing more comes
 */
export class Events {
  #end = new AbortController()
  #last = ''
  #pause = shortest

  constructor(path, { token, onEvent, onState }) {
    this.path = path
    this.token = token
    this.onEvent = onEvent
    this.onState = onState
    this.#run()
  }

  close() {
    this.#end.abort()
  }

  async #run() {
    while (!this.#end.signal.aborted) {
      const over = await this.#follow().catch(() => false)
      if (over || this.#end.signal.aborted) return
      this.onState({ is: 'lost' })
      await new Promise((done) => setTimeout(done, this.#pause))
      this.#pause = Math.min(longest, this.#pause * 2)
    }
  }

  /** One connection. It tells whether nothing more is to come. */
  async #follow() {
    const headers = { accept: 'text/event-stream' }
    if (this.token) headers.authorization = `Bearer ${this.token}`
    if (this.#last) headers['last-event-id'] = this.#last
    const answer = await fetch(base + this.path, { headers, credentials: this.token ? 'omit' : 'same-origin', signal: this.#end.signal, cache: 'no-store' })
    if (answer.status === 204) return this.#over({ is: 'ended' })
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
      const told = await answer.json().catch(() => ({}))
      return this.#over({ is: 'failed', status: answer.status, reason: told.message ?? '' })
    }
    if (!answer.ok) return false
    this.onState({ is: 'open' })
    let over = false
    const parser = new EventParser(({ id, type, data }) => {
      this.#pause = shortest
      if (id) this.#last = id
      const message = JSON.parse(data)
      if (type === 'subscription_end') over = message.data.reason || 'ended'
      this.onEvent({ id, type, message, text: data })
    })
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      parser.feed(value)
    }
    return over ? this.#over({ is: 'ended', reason: over }) : false
  }

  #over(state) {
    if (!this.#end.signal.aborted) this.onState(state)
    return true
  }
}
