// The page is in the fragment of the address, #/records/ID?q=harbour, so that the console works below any path of any proxy, and
// what stands there (such as the token of a share link) is sent to no server.
import { cell } from './cell.js'

function read() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?', 2)
  const [page, ...rest] = path.split('/').map(decodeURIComponent)
  return { page: page || 'talk', rest: rest.filter(Boolean), query: new URLSearchParams(query) }
}

/** Where the reader is: { page: 'records', rest: ['ID'], query: URLSearchParams }. Watch it with useCell. */
export const route = cell(read())
addEventListener('hashchange', () => route.set(read()))

/**
 * The address of a page for links. Values of the query that are null, undefined or empty are left out.
 * @param {string[]} path such as ['records', id]
 */
export function href(path, query = {}) {
  const said = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  const text = new URLSearchParams(said.filter(([, value]) => value != null && value !== '')).toString()
  return '#/' + path.map(encodeURIComponent).join('/') + (text && '?' + text)
}

/** Goes to a page. With replace the way back does not lead to where the reader was, as for filters. */
export function go(path, query, { replace = false } = {}) {
  const address = href(path, query)
  if (!replace) {
    location.hash = address
    return
  }
  history.replaceState(null, '', address)
  route.set(read())
}
