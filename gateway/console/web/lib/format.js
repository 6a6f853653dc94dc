// How numbers, times and names are written.

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' })

/** 1234 → "1,234" */
export const count = (n) => grouped.format(n)

/** Minutes and seconds of a recording: 37.94 → "0:37.9", 3725 → "1:02:05". digits are those after the seconds' point. */
export function clock(seconds, digits = 0) {
  const scale = 10 ** digits
  const all = Math.floor(Math.max(0, seconds) * scale + 1e-6) / scale // a clock never runs ahead
  const h = Math.floor(all / 3600)
  const m = Math.floor(all / 60) % 60
  const s = (all % 60).toFixed(digits).padStart(digits ? 3 + digits : 2, '0')
  return h ? `${h}:${String(m).padStart(2, '0')}:${s}` : `${m}:${s}`
}

/** A length in words: 200 → "3 min 20 s", 0.4 → "0.4 s", 7500 → "2 h 5 min". */
export function length(seconds) {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`
  const all = Math.round(seconds)
  if (all < 60) return `${all} s`
  if (all < 3600) return all % 60 ? `${Math.floor(all / 60)} min ${all % 60} s` : `${all / 60} min`
  const minutes = Math.round(all / 60)
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`
}

/** Sizes: 1536 → "1.5 KB" */
export function bytes(n) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let unit = 0
  for (; n >= 1000 && unit < units.length - 1; unit++) n /= 1000
  return `${unit && n < 10 ? n.toFixed(1) : Math.round(n)} ${units[unit]}`
}

/** "1 word", "22 words": the plural where it is not the noun with an s may be given. */
export const several = (n, noun, plural = noun + 's') => `${count(n)} ${n === 1 ? noun : plural}`

/** ["a", "b", "c"] → "a, b and c" */
export const listed = (names) => (names.length < 2 ? names.join() : names.slice(0, -1).join(', ') + ' and ' + names.at(-1))

/** "en" → "English" */
export function language(code) {
  try {
    return languageNames.of(code === 'jw' ? 'jv' : code) // the API's code for Javanese is the old one
  } catch {
    return code
  }
}

/** The languages that a session is translated into, by its request. */
export const translationsOf = (request) => (request?.realtime_processing?.translation && request.realtime_processing.translation_config?.target_languages) || []

/** The time of day of a timestamp, as the reader's clock shows it: "14:03". */
export const timeOfDay = (stamp) => new Date(stamp).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

/** The day of a timestamp: "today", "yesterday", "tomorrow", else "Friday, 14 March", with the year if it is another one. */
export function day(stamp, now = new Date()) {
  const at = new Date(stamp)
  const midnight = (d) => new Date(d.getFullYear(), d.getMonth(), d.getDate()).getTime()
  const days = Math.round((midnight(now) - midnight(at)) / 86_400_000)
  if (days === 0) return 'today'
  if (days === 1) return 'yesterday'
  if (days === -1) return 'tomorrow'
  const year = at.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return at.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year })
}

/** A quantile of a list of numbers, which is not empty: the smallest that at least that part of them is not above. */
export const quantile = (list, part) => [...list].sort((a, b) => a - b)[Math.max(0, Math.ceil(part * list.length) - 1)]

/** The median of a list of numbers, null of none. */
export function median(list) {
  if (list.length === 0) return null
  const sorted = [...list].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The name of an add-on as a title: word_tally is "Word tally". */
export const named = (addon) => (addon.charAt(0).toUpperCase() + addon.slice(1)).replaceAll('_', ' ')
