import { describe, expect, it } from 'vitest'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { measureFixity } from '#src/workflows/fixity/measure.ts'
import { history, item, observe, policy, recorded, start, t } from '../../domain/fixity/commands.ts'
import { openTestViews } from '../../fakes/views.ts'
import { fixityViews } from '../../projections/fixity/views.ts'

const days = (count: number) => t(count * 24 * 60)

const registered = {
  type: 'StoreRegistered',
  data: { kind: 'external', policy, at: start },
} as const

const measured = (life: readonly FixityEvent[], now: string) => {
  const views = fixityViews()
  views.foldStore([registered])
  views.fold(life, { ...item, path: 'one' })
  const all = measureFixity({ viewStore: views.viewStore, clock: { now: () => now } })
  const valuesOf = (name: string) => all.find(({ gauge }) => gauge === name)?.values ?? []
  return {
    valuesOf,
    /** What is not 0, by one of the labels. */
    shown: (name: string, label: string) =>
      valuesOf(name).flatMap(({ labels, value }) => (value === 0 ? [] : [[labels[label], value]])),
  }
}

const good = history([recorded()], observe('AAAA', 1))
const failed = history([recorded()], observe('BAAA', 1))

describe('items of a store', () => {
  it('stand in their state, and once they are late as late alone', () => {
    expect(measured(good, days(1)).shown('fixity_items', 'state')).toEqual([['verified', 1]])
    expect(measured(good, days(91)).shown('fixity_items', 'state')).toEqual([['late', 1]])
    expect(measured(failed, days(1)).shown('fixity_items', 'state')).toEqual([['failed', 1]])
  })

  it('are unread where no bytes were read, and their last look is no cycle that is overdue', () => {
    const archived = history([recorded()], observe('nAAA', 60 * 24 * 80))
    expect(measured(archived, days(81)).shown('fixity_items', 'state')).toEqual([['unread', 1]])
    const since = measured(archived, days(81)).shown('fixity_looked_since_timestamp_seconds', 'store')
    expect(since).toEqual([['main', Date.parse(days(80).slice(0, 10)) / 1000]])
    expect(measured(archived, days(171)).shown('fixity_items', 'state')).toEqual([['late', 1]])
  })

  it('are 0 in every state where there are none', () => {
    expect(measured([], days(1)).valuesOf('fixity_items').length).toBe(11)
    expect(measured([], days(1)).shown('fixity_items', 'state')).toEqual([])
  })
})

describe('findings', () => {
  it.each([
    [0.5, 'day'],
    [3, 'week'],
    [20, 'month'],
    [31, 'older'],
  ])('of %f days are counted as %s, by who is to settle them', (age, name) => {
    const found = measured(failed, days(age))
    expect(found.shown('findings_open', 'age')).toEqual([[name, 1]])
    expect(found.valuesOf('findings_open').length).toBe(3 * 4)
    const [oldest] = found.valuesOf('finding_age_seconds')
    expect(oldest?.value).toBeGreaterThan(age * 86_400 - 3600)
  })

  it('that are settled are not counted', () => {
    const settled = history(failed, {
      ...{ type: 'CloseResolution', item, actor: 'ada', at: t(9), how: 'repaired', reason: 'restored' },
      resolution: 'main/letters/1912/03.tif#1',
    } as const)
    expect(measured(settled, days(1)).shown('findings_open', 'class')).toEqual([])
    expect(measured(settled, days(1)).valuesOf('finding_age_seconds')[0]?.value).toBe(0)
  })
})

describe('the last full cycle', () => {
  const since = (life: readonly FixityEvent[], now: string) =>
    measured(life, now).valuesOf('fixity_looked_since_timestamp_seconds')[0]?.value

  it('is the day of the oldest last check; of what was never checked that of its record', () => {
    const day = Date.parse(start.slice(0, 10)) / 1000
    expect(since([recorded()], days(50))).toBe(day)
    expect(since(history([recorded()], observe('AAAA', 10 * 24 * 60)), days(50))).toBe(day + 10 * 86_400)
  })

  it('is now where nothing is to be checked', () => {
    expect(since([], days(50))).toBe(Date.parse(days(50)) / 1000)
  })
})

it('an older fold, which has no counts, shows nothing', () => {
  const viewStore = openTestViews()
  expect(measureFixity({ viewStore, clock: { now: () => start } })).toEqual([])
  viewStore.close()
})
