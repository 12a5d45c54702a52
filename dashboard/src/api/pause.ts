/** Ends early when the signal aborts. */
export const pause = (millis: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (millis <= 0 || signal.aborted) return resolve()
    const timer = setTimeout(resolve, millis)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
