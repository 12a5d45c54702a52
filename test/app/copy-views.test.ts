import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startCopying } from '../../src/app/copy-views.ts'
import { startRoles } from '../../src/app/roles.ts'
import { UnavailableError } from '../../src/async/unavailable.ts'
import { NotCaughtUp } from '../../src/async/wait-until.ts'
import { DAY, HOUR, MINUTE } from '../../src/domain/kernel/time.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { CopiedViews, ViewCopies } from '../../src/ports/view-copies.ts'
import { projectionsOf } from '../../src/workflows/workflow-model.ts'
import { fakeClock } from '../fakes/clock.ts'
import { openTestSystem } from '../fakes/system.ts'
import { patience } from '../patience.ts'

/* Page P65: a copy of the views each month. */

interface World {
  readonly pastDays?: number
  readonly pastCopies?: number
  /** Months of copies that are there, and of those whose views are of other versions. */
  readonly there?: readonly string[]
  readonly old?: readonly string[]
  /** Called before a copy is made. */
  readonly before?: () => void
  readonly caughtUp?: () => Promise<void>
}

const copying = async ({ there = [], old = [], before, caughtUp, pastDays, pastCopies }: World) => {
  const settings = {
    ...(pastDays !== undefined && { pastDays }),
    ...(pastCopies !== undefined && { pastCopies }),
  }
  const system = await openTestSystem(settings, { keepsPast: true })
  onTestFinished(system.close)
  const [projection] = projectionsOf(system.workflows)
  const months = new Set([...there, ...old])
  const viewCopies: ViewCopies = {
    kept: () => [...months].sort().map((month) => ({ month, bytes: 1 })),
    views: () =>
      [...months].map(
        (month) =>
          ({
            month,
            projection: projection!.name,
            version: projection!.version - (old.includes(month) ? 1 : 0),
          }) as CopiedViews,
      ),
    make: async (month) => {
      before?.()
      months.add(month)
    },
    remove: (month) => void months.delete(month),
  }
  const warnings: string[] = []
  const log = pino({}, { write: (line: string) => void warnings.push(JSON.parse(line).err.message) })
  const clock = fakeClock('2026-01-30T12:00:00.000Z')
  const running = startCopying(
    { ...system, viewCopies, clock, log },
    { whenCaughtUp: caughtUp ?? (async () => {}) },
  )
  onTestFinished(() => running?.stop())
  return { clock, warnings, kept: () => [...months].sort() }
}

describe('copies of views', () => {
  it.each([0, 90])('are made once a month where %i days of their past are kept', async (pastDays) => {
    const { clock, kept } = await copying({ pastDays })
    await clock.advance(MINUTE)
    expect(kept()).toEqual(['2026-01'])
    await clock.advance(DAY)
    expect(kept()).toEqual(['2026-01'])
    await clock.advance(32 * DAY)
    expect(kept()).toEqual(['2026-01', '2026-02', '2026-03'])
  })

  it('are made where views are folded', async () => {
    const system = await openTestSystem({ pastDays: 90 }, { keepsPast: true })
    onTestFinished(system.close)
    const { clock } = system
    const sleep: Clock['sleep'] = (millis, signal) => clock.sleep(millis === MINUTE ? 1 : millis, signal)
    const running = await startRoles({ ...system, clock: { ...clock, sleep } }, ['projections'])
    onTestFinished(() => running.stop())
    await vi.waitUntil(() => system.viewCopies.kept().length === 1, patience)
    expect(system.viewCopies.views().map(({ projection }) => projection)).toContain('fixity')
  })

  it('are not made where all of it is kept', async () => {
    const { clock, kept } = await copying({})
    await clock.advance(DAY)
    expect(kept()).toEqual([])
  })

  it('are tried again in an hour where they fail, which is logged', async () => {
    let isFull = true
    const before = () => {
      if (isFull) throw new UnavailableError('the disk is full')
    }
    const { clock, kept, warnings } = await copying({ pastDays: 90, before })
    await clock.advance(MINUTE)
    expect([kept(), warnings]).toEqual([[], ['the disk is full']])
    isFull = false
    await clock.advance(HOUR)
    expect([kept(), warnings.length]).toEqual([['2026-01'], 1])
  })

  it('wait until the views are folded', async () => {
    let isFolded = false
    const caughtUp = async () => {
      if (!isFolded) throw new NotCaughtUp('not yet')
    }
    const { clock, kept, warnings } = await copying({ pastDays: 90, caughtUp })
    await clock.advance(HOUR)
    expect([kept(), warnings]).toEqual([[], []])
    isFolded = true
    await clock.advance(HOUR)
    expect(kept()).toEqual(['2026-01'])
  })

  it('are kept as many as the setting says, spread over time, and those of no use go first', async () => {
    const there = ['2024-01', '2025-01', '2025-10', '2025-11', '2025-12']
    const keeping = async (world: World) => {
      const { clock, kept } = await copying({ pastDays: 90, ...world })
      await clock.advance(MINUTE)
      return kept()
    }
    expect(await keeping({ there, pastCopies: 4 })).toEqual(['2024-01', '2025-01', '2025-10', '2026-01'])
    expect(await keeping({ there, old: ['2023-01', '2024-06'], pastCopies: 5 })).toEqual([
      '2024-01',
      '2025-01',
      '2025-10',
      '2025-12',
      '2026-01',
    ])
    expect(await keeping({ there, pastCopies: 1 })).toEqual(['2026-01'])
    expect(await keeping({ there, pastCopies: 0 })).toEqual([])
  })
})
