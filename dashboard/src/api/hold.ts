/* While a dialog is open nothing moves beneath it: whoever acts sees the outcome, though what it is about has left its list. */

let holders = 0
let onReleased: (() => void)[] = []

/** What is shown stays until this is called back. */
export const hold = (): (() => void) => {
  holders++
  return () => {
    holders--
    if (holders > 0) return
    const waiting = onReleased
    onReleased = []
    for (const resume of waiting) resume()
  }
}

/** Once nothing holds what is shown. */
export const released = (): Promise<void> =>
  holders === 0 ? Promise.resolve() : new Promise((resolve) => onReleased.push(resolve))
