import { useEffect } from 'preact/hooks'

/** Runs an asynchronous function at once and again a while after each run, as long as the component is shown and the page is seen. */
export function usePoll(run, seconds, inputs = []) {
  useEffect(() => {
    const end = new AbortController()
    let timer
    const next = async () => {
      if (!document.hidden) await run(end.signal)
      if (!end.signal.aborted) timer = setTimeout(next, seconds * 1000)
    }
    const seen = () => {
      if (document.hidden) return
      clearTimeout(timer)
      next()
    }
    next()
    document.addEventListener('visibilitychange', seen)
    return () => {
      end.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, inputs)
}
