import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Properties are run as often as they say. */
    allRuns: boolean
  }
}

/** `fc.assert(property, { numRuns: runs(100) })`: all of them in the integration suite, a quarter in `npm test`, but five at least. */
export const runs = (all: number): number =>
  inject('allRuns') ? all : Math.min(all, Math.max(5, Math.ceil(all / 4)))
