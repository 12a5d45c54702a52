import { isLeft, right } from 'fp-ts/lib/Either.js'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { passedCheckpoints } from '#src/async/passed-checkpoints.ts'
import { leaderStream, reactionsLease } from '../../../src/domain/kernel/leader-lease.ts'
import { mergedStream } from '../../../src/domain/matching/merged/events.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { graphPublisher } from '../../../src/processors/matching/graph-publisher.ts'
import { mergedPublisher } from '../../../src/processors/matching/merged-publisher.ts'
import { findUnsent } from '../../../src/processors/matching/unsent.ts'
import { leaderCheckpoint } from '../../../src/processors/runtime/leader-checkpoints.ts'
import type { Subscription } from '../../../src/processors/runtime/leader-subscription.ts'
import { event } from '../../contracts/new-event.ts'
import { openTestViews } from '../../fakes/views.ts'
import { drive, headOf, matcherWorld, type World } from './matcher-world.ts'

let world: World
let viewStore: ViewStore

beforeEach(() => {
  world = matcherWorld()
  viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
})

const document = { kind: 'merged', component: 'a', size: 1, from: [], fields: {} }
const merge = (work: string, version: number) =>
  world.append(
    mergedStream(work),
    event('WorkMerged', { generation: 1, version, document, at: world.clock.now() }),
  )
const unsent = async () =>
  (await findUnsent({ eventStore: world.store, viewStore })).map(({ topic, id, count }) => [topic, id, count])

/** As the leader does: sends a batch, then moves the checkpoint behind it. */
const send = async (publisher: Subscription) => {
  const passed = passedCheckpoints({ viewStore, clock: world.clock }, new AbortController().signal)
  const checkpoints = leaderCheckpoint(publisher.name, { viewStore, passed, term: { positions: {} } })
  const from = await checkpoints.load(new AbortController().signal)
  const read = await world.store.readAll(from.position, publisher.filter, 1000)()
  if (isLeft(read)) throw new Error(read.left.reason)
  await publisher.handle(read.right, () => true, new AbortController().signal)
  checkpoints.store(from, read.right)
}
const broker = { produce: () => async () => right([]) }

test('what was written and is not on its topic, by the first of it, until it is sent', async () => {
  const deps = { broker, eventStore: world.store, telemetry: world.telemetry }
  expect(await unsent()).toEqual([])
  await world.observe('a')
  await drive(world, world.newMatcher())
  await merge('a', 1)
  await merge('b', 2)
  expect(await unsent()).toEqual([
    ['fonds.matching.graphs', 'a', 1],
    ['fonds.matching.merged', 'a', 2],
  ])
  await send(graphPublisher(deps))
  expect(await unsent()).toEqual([['fonds.matching.merged', 'a', 2]])
  await send(mergedPublisher(deps))
  expect(await unsent()).toEqual([])
  await merge('b', 3)
  expect(await unsent()).toEqual([['fonds.matching.merged', 'b', 1]])
})

test('where another machine sends, its leader lease says how far it has come', async () => {
  await merge('a', 1)
  const head = `${await headOf(world.store)}`
  await merge('b', 2)
  await world.append(
    leaderStream(reactionsLease),
    event('DutyTaken', {
      holder: 'elsewhere',
      fence: 1,
      deadline: '2026-01-01T01:00:00.000Z',
      positions: { 'matching-merged': head },
    }),
  )
  expect(await unsent()).toEqual([['fonds.matching.merged', 'b', 1]])
})
