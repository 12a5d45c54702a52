import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { addMillis, DAY, MINUTE } from '#src/domain/kernel/time.ts'
import { countsOf, daysOf, fullCycleSince } from '#src/projections/fixity/questions/store-counts.ts'
import { history, item, observe, policy, recorded, start, t } from '../../../domain/fixity/commands.ts'
import { runs } from '../../../runs.ts'
import { fixityViews } from '../views.ts'

/* What is told of the days that are past is what was told when each of them ended. */

const perDay = DAY / MINUTE
/** The midnight that ends the day so many days behind the start. */
const endOf = (day: number) => `${addMillis(start, (day + 1) * DAY).slice(0, 10)}T00:00:00.000Z`
const firstDay = start.slice(0, 10)
const short = { ...policy, intervalDays: 2 }

/** Checks of three items: on which day, of which, and what they find. */
const checks = fc
  .array(fc.tuple(fc.nat(11), fc.nat(2), fc.constantFrom('AAAA', 'BAAA', '--AA', 'nAAA')), { maxLength: 25 })
  .map((all) => all.toSorted(([a], [b]) => a - b))

it('each day is as it was counted when it ended, late items too', () => {
  fc.assert(
    fc.property(checks, (all) => {
      const views = fixityViews()
      const lives = new Map<number, readonly FixityEvent[]>()
      const told: unknown[] = []
      for (let day = 0; day < 12; day++) {
        views.recordAt(t(day * perDay))
        for (const [i, [on, path, pattern]] of all.entries()) {
          if (on !== day) continue
          const before = lives.get(path) ?? []
          const life = history(
            before.length > 0 ? before : [recorded('A', day * perDay)],
            observe(pattern, day * perDay + i, { policy: short }),
          )
          lives.set(path, life)
          views.fold(life.slice(before.length), { ...item, path: `${path}` })
        }
        told.push(countsOf(views.viewStore, 'main', endOf(day)))
      }
      const days = daysOf(views.viewStore, 'main', firstDay, endOf(11)).slice(0, 12)
      expect(days.map(({ day: _, ...counts }) => counts)).toEqual(told)
      const fromFifth = daysOf(views.viewStore, 'main', endOf(3).slice(0, 10), endOf(11)).slice(0, 8)
      expect(fromFifth).toEqual(days.slice(4))
    }),
    { numRuns: runs(60) },
  )
})

describe('a full cycle', () => {
  const cycle = (...lives: readonly (readonly FixityEvent[])[]) => {
    const views = fixityViews()
    for (const [i, life] of lives.entries()) views.fold(life, { ...item, path: `${i}` })
    return fullCycleSince(views.viewStore, 'main', t(perDay * 10))
  }
  const checkedOn = (day: number, pattern = 'AAAA') => history([recorded()], observe(pattern, day * perDay))

  it('leaves out what was not read, and is none where nothing was', () => {
    expect(cycle(checkedOn(3), checkedOn(1, 'nAAA'))).toBe(t(3 * perDay).slice(0, 10))
    expect(cycle(checkedOn(1, 'nAAA'))).toBeUndefined()
  })

  it('is since the day of the check that is longest ago', () => {
    expect(cycle(checkedOn(5), checkedOn(3), checkedOn(4, 'BAAA'))).toBe(t(3 * perDay).slice(0, 10))
  })

  it('is not said where there is nothing, or where the check of one item never finished', () => {
    expect(cycle()).toBeUndefined()
    expect(cycle(checkedOn(5), [recorded()])).toBeUndefined()
    expect(cycle(checkedOn(5), checkedOn(5, '--AA'))).toBeUndefined()
  })
})
