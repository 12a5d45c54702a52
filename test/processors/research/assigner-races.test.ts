import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { defaultPolicy } from '../../../src/domain/research/policy/policy.ts'
import { episodeStream } from '../../../src/domain/research/terms.ts'
import type { RunningSubscription } from '../../../src/processors/runtime/leader-subscription.ts'
import { runs } from '../../runs.ts'
import { type AssignerWorld, assignerWorld, type Fault, pairsLeasedTwice } from './assigner-world.ts'
import { useAssigner } from './use-assigner.ts'

const { now, views, start, situation, added } = useAssigner()

const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('take' as const, 'release' as const), lease: fc.nat(30) }),
  fc.record({ kind: fc.constant('advance' as const), seconds: fc.constantFrom(1, 600, 5400, 7200) }),
  fc.record({ kind: fc.constant('fault' as const), fault: fc.constantFrom<Fault>('before', 'after') }),
  fc.record({ kind: fc.constant('restart' as const), which: fc.nat(1) }),
  fc.record({
    kind: fc.constantFrom('clip' as const, 'episode' as const),
    id: fc.nat(8),
    priority: fc.nat(2),
  }),
  fc.record({ kind: fc.constantFrom('register' as const, 'leave' as const), id: fc.nat(4) }),
  fc.record({ kind: fc.constant('settle' as const) }),
)

test('F1, F2: whatever happens, no pair is under two active leases, and both assigners come to rest where they should', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const scratch = views().scratch()
      const world = assignerWorld(scratch)
      await world.policy({ maxClips: 2 })
      for (let i = 0; i < 3; i++) {
        await world.clip(`c${i}`)
        await world.episode(`e${i}`)
      }
      const running: RunningSubscription[] = [world.start(), world.start()]
      for (const one of steps) {
        const grants = await world.grants()
        const grant = 'lease' in one ? grants[one.lease] : undefined
        if (one.kind === 'take' && grant) await world.take(grant)
        if (one.kind === 'release' && grant) await world.release(grant)
        if (one.kind === 'advance') await world.clock.advance(one.seconds * 1000)
        if (one.kind === 'fault') world.faults.push(one.fault)
        if (one.kind === 'restart') {
          await running[one.which]!.stop()
          running[one.which] = world.start(world.newAssigner({ savedAtEnd: 1 }))
        }
        if (one.kind === 'clip') await world.clip(`c${one.id}`, one.priority)
        if (one.kind === 'episode') await world.episode(`e${one.id}`, one.priority)
        if (one.kind === 'register') await world.researcher(`r${one.id}`)
        if (one.kind === 'leave') await world.leave(`r${one.id}`)
        if (one.kind === 'settle') await world.settled()
      }
      world.faults.length = 0
      // Pauses after faults are over.
      await world.clock.advance(120_000)
      await world.settled()
      await Promise.all(running.map((one) => one.stop()))
      expect(pairsLeasedTwice(await world.eventsIn('episode'))).toEqual([])
      const { scheduler } = await world.scheduler()
      scheduler.advance(world.clock.now())
      const { researchers, queued } = scheduler.readings()
      // Each may have added one that the other did not know of.
      if (scheduler.select() && researchers > 0) expect(queued).toBeGreaterThan(researchers)
      if (scheduler.select() && researchers === 0) expect(queued).toBeGreaterThan(0)
      scratch.close()
    }),
    { numRuns: runs(60) },
  )
})

describe('races', () => {
  let world: AssignerWorld
  beforeEach(() => {
    world = now()
  })

  test('F2: who is second chooses again, when it has been told', async () => {
    await situation(0, 0)
    world.before.push(() => world.grant('e0', 'faster', ['c0']))
    expect(await added(0)).toBe(1)
    expect((await world.grants())[0]!.lease).toBe('faster')
    expect(world.telemetry.counted('messages', 'outcome')).toMatchObject({ refused: 1 })
  })

  test('F2: and does so without a hot loop', async () => {
    await situation(3, 0)
    world.before.push(() => world.grant('e0', 'faster', ['c3']))
    start(world.newAssigner({ maxItems: 10 }))
    await world.settled()
    const grants = await world.grants()
    expect(grants).toHaveLength(4)
    expect(world.telemetry.counted('messages', 'outcome')).toMatchObject({ refused: 4, granted: 3 })
    expect(pairsLeasedTwice(await world.eventsIn('episode'))).toEqual([])
  })

  test('F1, F2: two at once lease no pair twice, and both go on', async () => {
    await situation(4, 0)
    start()
    start()
    for (let round = 0; round < 12; round++) {
      await world.settled()
      const grants = await world.grants()
      await world.take(grants[round]!)
      if (round % 3 === 0) await world.release(grants[round]!)
      if (round === 8) await world.clock.advance(defaultPolicy.itemSeconds * 1000)
    }
    await world.settled()
    expect(pairsLeasedTwice(await world.eventsIn('episode'))).toEqual([])
    expect((await world.grants()).length).toBeGreaterThan(12)
    const { queued } = (await world.capacity()).at(-1)!
    // One too many each, at most.
    expect(queued).toBeLessThanOrEqual(6)
  })

  test.each(['before', 'after'] as const)('the log is away %s a grant: it goes on', async (fault) => {
    await situation(2, 0)
    world.faults.push(fault)
    start()
    await world.settled()
    await world.clock.advance(1000)
    await world.settled()
    expect(await world.grants()).toHaveLength(3)
    expect(pairsLeasedTwice(await world.eventsIn('episode'))).toEqual([])
  })

  test.each(['tombstone', 'soft'] as const)(
    'an episode whose stream is deleted (%s) holds up no other',
    async (mode) => {
      await situation(2, 0)
      await world.store.deleteStream(episodeStream('e0'), 'any', mode)()
      start()
      await world.settled()
      // The next event, whatever it is, has it choose again.
      await world.researcher('r9')
      await world.settled()
      expect((await world.grants()).map(({ episode }) => episode)).toEqual(['e1', 'e1', 'e1', 'e1'])
      expect(world.warnings).toMatchObject([{ episode: 'e0', level: 50 }])
    },
  )

  test('F3: what was granted before a crash counts after it', async () => {
    await situation(2, 0)
    const first = start()
    await world.settled()
    await first.stop()
    start()
    await world.settled()
    expect(await world.grants()).toHaveLength(3)
  })
})
