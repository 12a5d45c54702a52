import { describe, expect, it } from 'vitest'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { comparisons } from '#src/domain/fixity/views.ts'
import { rows } from '#src/domain/kernel/read-views.ts'
import {
  namesAreUsedUp,
  standing,
  standingOfCompared,
  sumOf,
} from '#src/projections/fixity/questions/standing-differences.ts'
import {
  by,
  history,
  item,
  observe,
  policy,
  recorded,
  removed,
  start,
  t,
} from '../../../domain/fixity/commands.ts'
import { fixityViews } from '../views.ts'

type Kind = 'new' | 'missing' | 'moved' | 'changed'

/** The item as a comparison found it ten minutes after the start, and what came before and behind that. */
const asFound = (kind: Kind, life: readonly FixityEvent[], more: { size?: number; amount?: number } = {}) => {
  const views = fixityViews()
  const { path } = item
  views.foldStore([
    { type: 'StoreRegistered', data: { kind: 'folder', policy: { ...policy, newFiles: 'ask' }, at: start } },
  ])
  const first = {
    new: kind === 'new' ? [path] : [],
    missing: kind === 'missing' ? [path] : [],
    moved: kind === 'moved' ? [{ from: path, to: 'elsewhere' }] : [],
    changed: kind === 'changed' ? [{ path, size: more.size ?? 1, recorded: 2 }] : [],
  }
  const amounts = { new: 0, missing: 0, moved: 0, changed: 0, [kind]: more.amount ?? 1 }
  views.foldComparison([
    {
      type: 'StoreCompared',
      data: {
        ...{ store: item.store, newFiles: 'ask', takenIn: 0, at: t(10) },
        differences: { ...amounts, unlisted: 0, excluded: 0, first },
      },
    },
  ])
  views.fold(life)
  const [comparison] = rows(views.viewStore, comparisons)
  const found = standing(views.viewStore, comparison!)
  return {
    ...{ found, viewStore: views.viewStore, listed: found.first.map(({ waitsFor }) => waitsFor) },
    ...{ left: sumOf(found.amounts), needs: sumOf(found.needs) },
  }
}

const good = (minutes: number) => history([recorded()], observe('AAAA', minutes))
const failed = (minutes: number) => history([recorded()], observe('AAAA', 1), observe('BAAA', minutes))
const settle = (life: readonly FixityEvent[], how: 'lost' | 'repaired', minutes: number) => {
  const opened = life.find((event) => event.type === 'ResolutionOpened')
  const resolution = opened?.type === 'ResolutionOpened' ? opened.data.resolution : ''
  return history(life, { type: 'CloseResolution', resolution, how, reason: 'x', ...by(minutes) })
}

describe('what a comparison found, and what was settled since', () => {
  it.each(['missing', 'moved', 'changed'] as const)(
    'a %s file stands until a check behind it reads it well',
    (kind) => {
      expect(asFound(kind, good(9))).toMatchObject({ listed: [null], left: 1, needs: 1 })
      expect(asFound(kind, good(11))).toMatchObject({ listed: [], left: 0, needs: 0 })
      expect(asFound(kind, [recorded()])).toMatchObject({ listed: [null], left: 1, needs: 1 })
    },
  )

  it('a file that is gone again when it is looked at once more stands, and waits for its check', () => {
    const life = history([recorded()], observe('AAAA', 11), observe('--AA', 12))
    expect(asFound('missing', life)).toMatchObject({ listed: ['check'], left: 1, needs: 0 })
  })

  it('a file with an open finding is listed with it, and needs nobody a second time', () => {
    for (const minutes of [2, 20])
      expect(asFound('missing', failed(minutes))).toMatchObject({ listed: ['finding'], left: 1, needs: 0 })
  })

  it('a file that was given up as lost, or recorded as removed, is neither listed nor counted', () => {
    for (const minutes of [9, 40])
      expect(asFound('missing', settle(failed(2), 'lost', minutes))).toMatchObject({
        listed: [],
        left: 0,
        needs: 0,
      })
    expect(asFound('missing', [...good(1), removed(20)])).toMatchObject({ listed: [], left: 0, needs: 0 })
  })

  it('a file whose finding was settled since waits for its check; settled before, it stands', () => {
    expect(asFound('missing', settle(failed(2), 'repaired', 40))).toMatchObject({
      listed: ['check'],
      needs: 0,
    })
    expect(asFound('missing', settle(failed(2), 'repaired', 9))).toMatchObject({ listed: [null], needs: 1 })
  })

  it('a parked file is counted where parked ones are', () => {
    const parked: FixityEvent = { type: 'CheckParked', data: { run: 1, error: 'no route', at: t(2) } }
    expect(asFound('missing', [...good(1), parked])).toMatchObject({ listed: ['revival'], left: 1, needs: 0 })
  })

  it('a file of another size stands no more once it is recorded as it was found', () => {
    const anew = (size: number): FixityEvent => {
      const event = recorded('B', 12)
      return { ...event, data: { ...event.data, size } } as FixityEvent
    }
    expect(asFound('changed', [...good(1), anew(7)], { size: 7 })).toMatchObject({ listed: [], needs: 0 })
    expect(asFound('changed', [...good(1), anew(8)], { size: 7 })).toMatchObject({ listed: [null], needs: 1 })
  })

  it('a new file is new until it is recorded', () => {
    expect(asFound('new', []).found.unrecorded).toBe(1)
    expect(asFound('new', [recorded()]).found.unrecorded).toBe(0)
    expect(asFound('new', [recorded(), removed(5)]).found.unrecorded).toBe(1)
  })

  it('files that are not named count as found; once no named one stands, only a listing tells', () => {
    const some = asFound('missing', [recorded()], { amount: 60 })
    expect(some).toMatchObject({ left: 60, needs: 60 })
    expect(namesAreUsedUp(some.found)).toBe(false)
    const none = asFound('missing', good(11), { amount: 60 })
    expect(none).toMatchObject({ listed: [], left: 59, needs: 59 })
    expect(namesAreUsedUp(none.found)).toBe(true)
    expect(namesAreUsedUp(asFound('missing', good(11)).found)).toBe(false)
  })

  it('is nothing of a store that is compared no more', () => {
    const { viewStore } = asFound('missing', [])
    expect(standingOfCompared(viewStore)).toHaveLength(1)
    expect(standingOfCompared(viewStore, 'other')).toEqual([])
  })
})
