// What this browser remembers. Everything goes below one prefix; where storage is refused, nothing is remembered.
import { useState } from 'preact/hooks'

const prefix = 'steno.'

/** The value that is remembered under a name, or the fallback. */
export function recall(name, fallback) {
  try {
    const text = localStorage.getItem(prefix + name)
    return text === null ? fallback : JSON.parse(text)
  } catch {
    return fallback
  }
}

/** Remembers a value under a name; undefined forgets it. */
export function remember(name, value) {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // not remembered
  }
}

/** useState whose value is remembered under a name. */
export function usePreference(name, fallback) {
  const [value, setValue] = useState(() => recall(name, fallback))
  const set = (next) => {
    remember(name, next)
    setValue(next)
  }
  return [value, set]
}
