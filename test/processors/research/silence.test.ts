import { beforeEach, expect, test } from 'vitest'
import { SECOND } from '#src/domain/kernel/time.ts'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import { episodeEvents } from '#src/domain/research/episode/events.ts'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import { episodeStream } from '#src/domain/research/terms.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import type { RunningSubscription } from '#src/processors/runtime/leader-subscription.ts'
import { engine } from '../../domain/research/episode/episodes.ts'
import { openTestViews } from '../../fakes/views.ts'
import { useFolder } from '../runtime/log.ts'
import { type AssignerWorld, assignerWorld, type Granted } from './assigner-world.ts'

/*
 * F22: one clip, and two episodes of which the first ends whoever reads it. Nobody stays, so that one item at a time is put
 * out. Nothing but the assigner runs: an expired lease is written off by the next grant, and no ticker is needed to park anything.
 */

const folder = useFolder()
const attempts = 3
let world: AssignerWorld
let views: ViewStore
let running: RunningSubscription

beforeEach(async () => {
  views = openTestViews(folder.path('views.db'))
  world = assignerWorld(views)
  await world.policy({ attempts })
  await world.clip('c0')
  await world.episode('bad', 9)
  running = world.start()
  await world.settled()
  return async () => {
    await running.stop()
    views.close()
  }
})

const grantsOf = async (episode: string): Promise<readonly Granted[]> =>
  (await world.grants()).filter((grant) => grant.episode === episode)
/** The last item of an episode is taken, and nothing is heard of it until its lease has run out. */
const takeAndDie = async (episode: string) => {
  await world.take((await grantsOf(episode)).at(-1)!)
  await world.clock.advance(defaultPolicy.leaseSeconds * SECOND)
  await world.settled()
}
const report = async ({ episode, lease, clips }: Granted) => {
  const nanoseconds = { episodeDuration: 1, clipDuration: 1 }
  const result = { clip: clips[0]!, lease, researcher: 'r0', matches: [], engine, ...nanoseconds }
  const researchedAt = world.clock.now()
  await world.give(episodeDecider, episodeStream(episode), {
    type: 'Report',
    result: { ...result, researchedAt, final: true },
  })
  await world.settled()
}
const retry = async (episode: string) => {
  await world.give(episodeDecider, episodeStream(episode), { type: 'Retry', reason: 'a better reader' })
  await world.settled()
}
const silences = async () =>
  (await world.eventsIn('episode')).flatMap((event) => {
    const read = episodeEvents.read(event)
    const known = read._tag === 'Right' ? read.right : expect.fail(read.left)
    return known.type === 'LeaseExpired' ? [known.data.silent] : []
  })

test('an episode whose takers die is parked after so many attempts, the second goes on, and a person brings it back', async () => {
  for (let n = 1; n <= attempts; n++) {
    expect(await grantsOf('bad')).toHaveLength(n)
    await takeAndDie('bad')
  }
  expect(await silences()).toEqual([1, 2, 3])
  expect(await grantsOf('bad')).toHaveLength(attempts)

  await world.episode('good', 1)
  await world.settled()
  expect(await grantsOf('good')).toHaveLength(1)
  await report((await grantsOf('good')).at(-1)!)
  await world.clip('c1')
  await world.settled()
  expect(await grantsOf('good')).toHaveLength(2)
  // Nor does time bring it back.
  await world.clock.advance(10 * defaultPolicy.leaseSeconds * SECOND)
  await world.settled()
  expect(await grantsOf('bad')).toHaveLength(attempts)

  await retry('bad')
  // Once the item that waits is taken.
  await world.take((await grantsOf('good')).at(-1)!)
  await world.settled()
  expect(await grantsOf('bad')).toHaveLength(attempts + 1)
  expect(world.warnings).toEqual([])
})

test('a result ends the row: as many may die again before it is parked', async () => {
  for (let n = 1; n < attempts; n++) await takeAndDie('bad')
  await report((await grantsOf('bad')).at(-1)!)
  await world.clip('c1')
  await world.settled()
  const before = (await grantsOf('bad')).length
  for (let n = 0; n < attempts; n++) {
    expect(await grantsOf('bad')).toHaveLength(before + n)
    await takeAndDie('bad')
  }
  expect(await silences()).toEqual([1, 2, 1, 2, 3])
  expect(await grantsOf('bad')).toHaveLength(before + attempts - 1)
})

test('items that nobody takes park nothing, however many lapse', async () => {
  for (let n = 1; n <= 3 * attempts; n++) {
    expect(await grantsOf('bad')).toHaveLength(n)
    await world.clock.advance(defaultPolicy.leaseSeconds * SECOND)
    await world.settled()
  }
  expect(new Set(await silences())).toEqual(new Set([undefined]))
})

test('an assigner that starts from a snapshot knows what is parked', async () => {
  await running.stop()
  running = world.start(world.newAssigner({ savedAtEnd: 1 }))
  for (let n = 1; n <= attempts; n++) await takeAndDie('bad')
  await running.stop()
  running = world.start()
  await world.clip('c1')
  await world.settled()
  expect(await grantsOf('bad')).toHaveLength(attempts)
  await retry('bad')
  expect(await grantsOf('bad')).toHaveLength(attempts + 1)
})
