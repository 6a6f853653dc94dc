// Keeps the screen on while somebody speaks.
let lock = null
let wanted = false

async function take() {
  if (!wanted || lock || document.hidden || !navigator.wakeLock) return
  try {
    lock = await navigator.wakeLock.request('screen')
    lock.addEventListener('release', () => (lock = null))
    if (!wanted) await lock.release()
  } catch {
    lock = null // refused to save power, say; the recording goes on all the same
  }
}

/** Keeps the screen on from now on, or no longer. */
export function keepAwake(on) {
  wanted = on
  if (on) take()
  else lock?.release()
}

document.addEventListener('visibilitychange', take)
