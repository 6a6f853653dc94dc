import { useEffect, useState } from 'preact/hooks'

/**
 * A value that components may watch.
 * @template T
 * @param {T} value
 * @returns {{ get(): T, set(value: T): void, watch(told: (value: T) => void): () => void }} watch returns what ends it.
 */
export function cell(value) {
  const watchers = new Set()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const told of [...watchers]) told(value)
    },
    watch(told) {
      watchers.add(told)
      return () => watchers.delete(told)
    },
  }
}

/** The value of a cell; the component is rendered again when it changes. */
export function useCell(c) {
  const [value, setValue] = useState(c.get())
  useEffect(() => {
    setValue(() => c.get())
    return c.watch((next) => setValue(() => next))
  }, [c])
  return value
}
