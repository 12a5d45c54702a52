/** Resolves when the signal aborts; at once if it has. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/**
 * Returns the work. Rejects with the signal's reason if that aborts first, even if the work itself then fails of it.
 * The work goes on.
 */
export const orAborted = async <A>(work: Promise<A>, signal: AbortSignal): Promise<A> => {
  const { promise, resolve, reject } = Promise.withResolvers<A>()
  const onAbort = () => reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  work.then(resolve, reject)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
