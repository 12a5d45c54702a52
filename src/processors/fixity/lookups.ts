import { isLeft } from 'fp-ts/lib/Either.js'
import type { Checksum } from '../../domain/fixity/checksum.ts'
import { decider } from '../../domain/fixity/decide.ts'
import type { LaggingIndex } from '../../domain/fixity/events.ts'
import { type Item, itemStream } from '../../domain/fixity/item.ts'
import type { Word } from '../../domain/fixity/messages.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { defaultPolicy, type Policy, storeStream } from '../../domain/fixity/store/events.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import type { FixityLookups } from './processor.ts'

/** How long an observation waits for our own index before its lag is taken as the fact. */
const patienceMillis = 2000

export const fixityLookups = (states: StreamStates, viewStore: ViewStore, clock: Clock): FixityLookups => {
  const position = (): bigint => {
    const live = viewStore.live('fixity')
    return live ? viewStore.checkpoint(live).position : -1n
  }

  const caughtUp = async (wanted: bigint): Promise<bigint> => {
    for (let waited = 0; ; waited += 5) {
      const reached = position()
      if (reached >= wanted || waited >= patienceMillis) return reached
      await clock.sleep(5)
    }
  }

  const policyOf = async (store: string): Promise<Policy> => {
    const stream = storeStream(store)
    const loaded = await states.load(storeDecider, stream)
    if (isLeft(loaded)) throw new Away(`the rules of store ${store} cannot be read: ${loaded.left.kind}`)
    return loaded.right.state?.policy ?? defaultPolicy
  }

  const lastPosition = async (item: Item): Promise<bigint> => {
    const loaded = await states.load(decider, itemStream(item))
    if (isLeft(loaded)) throw new Away(`${itemStream(item)} cannot be read: ${loaded.left.kind}`)
    return loaded.right.position
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

const highest = (positions: readonly bigint[]): bigint => {
  let top = -1n
  for (const position of positions) if (position > top) top = position
  return top
}
