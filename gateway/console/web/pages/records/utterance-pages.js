import { api } from '../../lib/api.js'
import { cell } from '../../lib/cell.js'

const size = 100
const kept = 30 // pages

/** The utterances of a record, asked for a page at a time as they are seen. */
export class UtterancePages {
  /** A number that changes when utterances have come. */
  version = cell(0)
  #pages = new Map() // by number, the one used last at the end: { items } or { error }

  /** @param {string} path of the job: 'v2/live/ID' */
  constructor(path) {
    this.path = path
  }

  /** An utterance with what was found in it; undefined while it has not come. */
  get(n) {
    return this.#pages.get(Math.floor(n / size))?.items?.[n % size]
  }

  /** Asks for what is between two numbers, both included. */
  want(first, last) {
    for (let page = Math.floor(first / size); page <= Math.floor(last / size); page++) this.#ask(page)
  }

  /** Waits for an utterance. Errors: Problem. */
  async of(n) {
    await this.#ask(Math.floor(n / size))
    return this.get(n)
  }

  #ask(number) {
    const there = this.#pages.get(number)
    if (there) {
      this.#pages.delete(number)
      this.#pages.set(number, there)
      return there.coming
    }
    const page = { items: null, coming: null }
    this.#pages.set(number, page)
    page.coming = api(`${this.path}/utterances?offset=${number * size}&limit=${size}`).then(
      ({ items }) => {
        page.items = items
        this.version.set(this.version.get() + 1)
      },
      () => this.#pages.delete(number), // asked for again when it is seen again
    )
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= kept) break
      this.#pages.delete(old)
    }
    return page.coming
  }
}
