import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type { Checksum } from '../../domain/fixity/checksum.ts'
import { decider } from '../../domain/fixity/decide.ts'
import type { LaggingIndex } from '../../domain/fixity/events.ts'
import { type Item, itemStream } from '../../domain/fixity/item.ts'
import type { Word } from '../../domain/fixity/messages.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { defaultPolicy, type Policy, storeStream } from '../../domain/fixity/store/events.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ReadFailure } from '../../ports/event-store.ts'
import { livePosition, type ViewStore } from '../../ports/view-store.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import type { FixityLookups } from './processor.ts'

/** How long an observation waits for our own index before its lag is taken as the fact. */
const patienceMillis = 2000

export const fixityLookups = (states: StreamStates, viewStore: ViewStore, clock: Clock): FixityLookups => {
  const caughtUp = async (wanted: bigint): Promise<bigint> => {
    for (let waited = 0; ; waited += 5) {
      const reached = livePosition(viewStore, 'fixity')
      if (reached >= wanted || waited >= patienceMillis) return reached
      await clock.sleep(5)
    }
  }

  const policyOf = async (store: string): Promise<Policy> => {
    const loaded = await states.load(storeDecider, storeStream(store))
    return stillThere(loaded)?.state?.policy ?? defaultPolicy
  }

  const lastPosition = async (item: Item): Promise<bigint> => {
    const loaded = await states.load(decider, itemStream(item))
    return stillThere(loaded)?.position ?? -1n
  }

  const entry = ({ store, path }: Item): Word => {
    const [row] = viewStore.query('fixity-items', {
      where: [
        { column: 'store', is: '=', value: store },
        { column: 'path', is: '=', value: path },
      ],
    })
    const indexed = row?.indexed as { checksums: Checksum[]; size?: number } | null | undefined
    return indexed ? { status: 'recorded', ...indexed } : { status: 'absent' }
  }

  return {
    policies: async (stores) =>
      new Map(await Promise.all([...stores].map(async (store) => [store, await policyOf(store)] as const))),
    ownIndex: async (items) => {
      if (items.length === 0) return []
      const needed = await Promise.all(items.map(lastPosition))
      const reached = await caughtUp(highest(needed))
      return items.map((item, i) =>
        // Of an item without a stream the index cannot know anything either.
        needed[i] === -1n
          ? { status: 'absent' }
          : needed[i]! <= reached
            ? entry(item)
            : ({
                status: 'lagging',
                behind: String(reached),
                needed: String(needed[i]),
              } satisfies LaggingIndex),
      )
    },
  }
}

/** Undefined for a stream that was deleted for good: what is to become of the message is decided when it gets there. */
const stillThere = <A>(loaded: Either<ReadFailure, A>): A | undefined => {
  if (!isLeft(loaded)) return loaded.right
  if (loaded.left.kind === 'Unavailable') throw new Away(loaded.left.reason)
  return undefined
}

const highest = (positions: readonly bigint[]): bigint => {
  let top = -1n
  for (const position of positions) if (position > top) top = position
  return top
}
