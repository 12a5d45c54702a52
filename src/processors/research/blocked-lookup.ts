import { pipe } from 'fp-ts/lib/function.js'
import { finishAll } from '../../async/finish-all.ts'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import { researcherDecider } from '../../domain/research/researcher/decide.ts'
import { researcherStream } from '../../domain/research/terms.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

/** Returns those researchers that are blocked now; an unknown researcher is not. Throws `UnavailableError`. */
export type BlockedLookup = (researchers: ReadonlySet<string>) => Promise<ReadonlySet<string>>

/** Reads their streams up to the end: another process may have blocked one a moment ago. */
export const blockedLookup =
  (states: Pick<StreamStates, 'load'>): BlockedLookup =>
  async (researchers) => {
    const isBlocked = async (researcher: string): Promise<boolean> => {
      const load = () => states.load(researcherDecider, researcherStream(researcher))
      const known = await pipe(load, ifDeleted(undefined), orThrow)
      return known?.state?.blocked ?? false
    }
    const all = [...researchers]
    const blocked = await finishAll(all.map(isBlocked))
    return new Set(all.filter((_, i) => blocked[i]))
  }
