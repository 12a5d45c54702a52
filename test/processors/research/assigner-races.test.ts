import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { openViewStore } from '../../../infra/views/sqlite/view-store.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import type { RunningSubscription } from '../../../src/processors/runtime/leader-subscription.ts'
import { useFolder } from '../runtime/log.ts'
import { assignerWorld, type Fault, pairsLeasedTwice } from './assigner-world.ts'

const folder = useFolder()
let views: ViewStore

beforeEach(() => {
  views = openViewStore(folder.path('views.db'))
  return () => views.close()
})

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
      const scratch = views.scratch()
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
    { numRuns: 60 },
  )
})
