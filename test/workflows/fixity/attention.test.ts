import { describe, expect, it } from 'vitest'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { assignedFindings, fixityCauses } from '#src/workflows/fixity/attention.ts'
import { history, observe, policy, recorded, start, t } from '../../domain/fixity/commands.ts'
import { fixityViews } from '../../projections/fixity/views.ts'

const causes = (life: readonly FixityEvent[], days = 1) => {
  const views = fixityViews()
  views.foldStore([{ type: 'StoreRegistered', data: { kind: 'external', policy, at: start } }])
  views.fold(life)
  const clock = { now: () => t(days * 24 * 60) }
  return fixityCauses({ viewStore: views.viewStore, clock } as Parameters<typeof fixityCauses>[0])
}

const good = history([recorded()], observe('AAAA', 1))
const failed = history([recorded()], observe('BAAA', 1))
const parked: FixityEvent = { type: 'CheckParked', data: { run: 1, error: 'no route', at: t(2) } }

describe('what people must do for fixity', () => {
  it('is nothing while all is well', () => {
    expect(causes([])).toEqual([])
    expect(causes(good)).toEqual([])
  })

  it('is to settle open findings, by who is to do it', () => {
    expect(causes(failed)).toMatchObject([{ key: expect.stringMatching(/^findings\/main\/\w+$/), weight: 1 }])
    expect(causes(failed)[0]?.todo).toContain('`fonds do fixity.resolve`')
    expect(causes(failed)[0]?.says).toMatch(
      /: .+: .+ \((never found as recorded|last good on \d{4}-\d\d-\d\d)\)$/,
    )
    expect(causes(failed)[0]?.page).toMatch(/^\/fixity\/item\?store=main&path=/)
  })

  it('is to revive what is parked', () => {
    const [cause] = causes([...good, parked])
    expect(cause).toMatchObject({ key: 'parked/fixity/main', weight: 1 })
    expect(cause?.todo).toContain('`fonds do fixity.revive store=main`')
  })

  it('is to see why a cycle did not come round, half an interval and a day after it should have', () => {
    expect(causes(good, 130)).toEqual([])
    expect(causes(good, 140)).toMatchObject([{ key: 'cycle/main' }])
  })
})

describe('a finding that was given to somebody', () => {
  const opened = failed.find((event) => event.type === 'ResolutionOpened')
  const resolution = opened?.type === 'ResolutionOpened' ? opened.data.resolution : ''
  const given = (to?: string): FixityEvent => ({
    type: 'ResolutionAssigned',
    data: { resolution, reason: 'she has the copy', at: t(3), ...(to !== undefined && { to }) },
  })
  const closed: FixityEvent = {
    type: 'ResolutionClosed',
    data: { resolution, how: 'repaired', reason: 'from the copy', at: t(4) },
  }
  const assigned = (...life: readonly FixityEvent[]) => {
    const views = fixityViews()
    views.foldStore([{ type: 'StoreRegistered', data: { kind: 'external', policy, at: start } }])
    views.fold([...failed, ...life])
    const clock = { now: () => t(24 * 60) }
    return assignedFindings({ viewStore: views.viewStore, clock } as Parameters<typeof fixityCauses>[0])
  }

  it('is mailed to that person, with path, cause and what to do; to nobody any more once it is taken back', () => {
    expect(assigned()).toEqual(new Map())
    const [cause] = assigned(given('person#ada')).get('person#ada') ?? []
    expect(cause?.key).toBe(`finding/${resolution}`)
    expect(cause?.says).toMatch(/^main\/.+: .+ \(/)
    expect(cause?.todo).toContain('`fonds do fixity.resolve store=main path=')
    expect(assigned(given('person#ada'), given())).toEqual(new Map())
  })

  it('is over for that person once it is closed', () => {
    expect(assigned(given('person#ada'), closed)).toEqual(new Map([['person#ada', []]]))
  })

  it('goes to another person', () => {
    const found = assigned(given('person#ada'), given('person#bob'))
    expect([...found.keys()]).toEqual(['person#bob'])
  })
})
