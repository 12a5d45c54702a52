import { isLeft, right } from 'fp-ts/lib/Either.js'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { readMessage } from '../../../src/domain/kernel/cloud-event.ts'
import type { Row } from '../../../src/domain/kernel/view.ts'
import { type GraphChangedMessage, graphsTopic } from '../../../src/domain/matching/messages.ts'
import { graphPublisher } from '../../../src/processors/matching/graph-publisher.ts'
import { foldAll, openMatching } from '../../projections/matching/folding.ts'
import { drive, type Fault, type World } from './matcher-world.ts'

/* A change of several appends whose matcher ends between them, and another that goes on: with facts that came since. */

/** Events and appends so small that a component of a few works takes several. */
export const split = { maxEntries: 2, maxEventBytes: 10_000, maxAppendBytes: 1 }

/** The matcher dies over the change of what waits: after so many appends, the next of which is done or not. */
export const dieAfter = async (
  world: World,
  appends: number,
  fault: Fault,
  limits = split,
): Promise<void> => {
  world.faults.splice(0)
  world.faults.push(...Array.from({ length: appends }, (): Fault => 'none'), fault)
  try {
    await drive(world, world.newMatcher({ split: limits }), { patience: 0 })
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
  }
  world.faults.splice(0)
}

/** Follows the log as views and the sender do, event by event. */
export const watch = (world: World) => {
  const { viewStore, generation } = openMatching()
  const sent: GraphChangedMessage[] = []
  const sender = graphPublisher({
    broker: {
      produce: (records) => async () => {
        for (const record of records) {
          const place = { log: 'l', partition: 0, offset: 0n, timestamp: '2026-01-01T00:00:00.000Z' }
          const read = readMessage({ ...record, ...place }, graphsTopic)
          if (isLeft(read)) throw new Error(JSON.stringify(read.left))
          sent.push(read.right.data as GraphChangedMessage)
        }
        return right([])
      },
    },
    eventStore: world.store,
    telemetry: world.telemetry,
  })
  let position = -1n
  return {
    viewStore,
    sent,
    /** `look` is called behind each event. */
    follow: async (look: () => void = () => {}) => {
      const { signal } = new AbortController()
      const read = await world.store.readAll(position, {}, 1_000_000)()
      if (isLeft(read)) throw new Error(read.left.reason)
      for (const event of read.right.events) {
        foldAll(viewStore, generation, [event])
        const events = event.type === 'GraphChanged' ? [event] : []
        await sender.handle({ events, position: event.position, caughtUp: false }, () => true, signal)
        position = event.position
        look()
      }
    },
  }
}

type Watched = ReturnType<typeof watch>

/** Each graph as its version, its name and its works. */
export const graphsIn = ({
  viewStore,
}: Watched): readonly { name: string; size: number; works: string }[] => {
  const members = Map.groupBy(
    viewStore.query('matching-members', {}).filter(({ placeholder }) => placeholder === 0),
    ({ graph }) => graph,
  )
  return viewStore.query('matching-graphs', {}).map(({ version, component, size, graph }: Row) => ({
    name: `${version} ${component}`,
    size: size as number,
    works: (members.get(graph as number) ?? []).map(({ id }) => id).join(' '),
  }))
}

export const partition = (watched: Watched) =>
  graphsIn(watched)
    .map(({ works }) => works)
    .sort()

export const worksSent = ({ sent }: Watched) =>
  new Map(
    [...Map.groupBy(sent, ({ version, component }) => `${version} ${component}`)].map(([name, pieces]) => [
      name,
      {
        size: pieces[0]!.size,
        works: [...new Set(pieces.flatMap(({ members }) => members.map(([id]) => id)))].join(' '),
      },
    ]),
  )
