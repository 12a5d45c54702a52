export interface Watchdog {
  /** Work was finished, or begins after a time without any. */
  progress(): void
  /** True once nothing was finished for too long. */
  isHung(): boolean
}

/** Tells slow work from work that hangs. `now`: milliseconds. */
export const watchdog = (hungMillis: number, now: () => number): Watchdog => {
  let last = now()
  return {
    progress: () => {
      last = now()
    },
    isHung: () => now() - last > hungMillis,
  }
}
