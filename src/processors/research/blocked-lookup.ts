import { isLeft } from 'fp-ts/lib/Either.js'
import { researcherDecider } from '../../domain/research/researcher/decide.ts'
import { researcherStream } from '../../domain/research/terms.ts'
import { Away } from '../../ports/away.ts'
import { finishAll } from '../runtime/finish-all.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

/** Those of them that are blocked now; nobody is whom nobody ever heard of. Throws `Away` when the log is. */
export type BlockedLookup = (researchers: ReadonlySet<string>) => Promise<ReadonlySet<string>>

/** In their own streams, of which only the news is read: any process may have blocked one a moment ago. */
export const blockedLookup =
  (states: Pick<StreamStates, 'load'>): BlockedLookup =>
  async (researchers) => {
    const isBlocked = async (researcher: string): Promise<boolean> => {
      const loaded = await states.load(researcherDecider, researcherStream(researcher))
      if (!isLeft(loaded)) return loaded.right.state?.blocked ?? false
      if (loaded.left.kind === 'Unavailable') throw new Away(loaded.left.reason)
      // Deleted for good: it is as if nobody had heard of it.
      return false
    }
    const all = [...researchers]
    const blocked = await finishAll(all.map(isBlocked))
    return new Set(all.filter((_, i) => blocked[i]))
  }
