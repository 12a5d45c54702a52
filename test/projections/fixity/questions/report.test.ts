import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dated, itemStates, parts, type State } from '#src/domain/fixity/item-states.ts'
import type { fixityReport } from '#src/projections/fixity/questions/report.ts'
import { runs } from '../../../runs.ts'
import { none } from './counts.ts'
import { after, at, before, type Given, reportOn } from './report-on.ts'

const prefixesOf = (given: Given, scope?: Parameters<typeof fixityReport>[2]) =>
  reportOn(given, scope).stores.flatMap(({ prefixes }) =>
    prefixes.map(({ prefix, counts }) => [prefix, counts.expected]),
  )

describe('the numbers', () => {
  it('leave out what only an outside index names, and what was withdrawn', () => {
    const [main] = reportOn({
      items: [
        { path: 'a' },
        { path: 'b', state: 'unrecorded' },
        { path: 'c', state: 'withdrawn', removed: 1 },
      ],
    }).stores
    expect(main?.counts).toEqual({ ...none, expected: 1, verified: 1 })
  })

  it('add up to what is expected, whatever the items', () => {
    const anyItem = fc.record({
      store: fc.constantFrom('main', 'other'),
      path: fc
        .array(fc.constantFrom('a', 'b', 'é', '%'), { minLength: 1, maxLength: 4 })
        .map((names) => names.join('/')),
      state: fc.constantFrom(...(Object.keys(itemStates) as State[])),
      lateAfter: fc.constantFrom(null, before, at, after),
      size: fc.option(fc.nat(100)),
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(anyItem, { selector: ({ store, path }) => `${store}/${path}`, maxLength: 30 }),
        fc.constantFrom('', 'a', 'a/', 'b/a/'),
        (some, prefix) => {
          const within = some.filter(
            ({ state, path }) => itemStates[state].expected && path.startsWith(prefix),
          )
          const report = reportOn({ items: some }, { prefix })
          for (const { store, counts, bytes, prefixes } of report.stores) {
            const mine = within.filter((one) => one.store === store)
            expect(counts.expected).toBe(mine.length)
            expect(bytes).toBe(mine.reduce((sum, { size }) => sum + (size ?? 0), 0))
            expect(counts.late).toBe(
              mine.filter(
                ({ state, lateAfter }) => dated.some((name) => name === state) && lateAfter === before,
              ).length,
            )
            for (const section of [{ counts }, ...prefixes]) {
              expect(parts.reduce((sum, part) => sum + section.counts[part], 0)).toBe(section.counts.expected)
              expect(parts.every((part) => section.counts[part] >= 0)).toBe(true)
            }
            expect(prefixes.reduce((sum, one) => sum + one.counts.expected, 0)).toBe(counts.expected)
          }
          expect(report.stores.reduce((sum, { counts }) => sum + counts.expected, 0)).toBe(within.length)
        },
      ),
      { numRuns: runs(100) },
    )
  })

  it.each([
    [before, { verified: 0, late: 1 }],
    [at, { verified: 1, late: 0 }],
    [after, { verified: 1, late: 0 }],
  ])('of an item that is late after %s', (lateAfter, counts) => {
    expect(reportOn({ items: [{ path: 'a', lateAfter }] }).stores[0]?.counts).toMatchObject(counts)
  })

  it('count what is parked as parked, whatever it was before', () => {
    const given = {
      items: [
        { path: 'a', state: 'parked', outcome: 'failure' },
        { path: 'b', state: 'parked', outcome: 'success', lateAfter: before },
      ],
    }
    expect(reportOn(given).stores[0]?.counts).toEqual({ ...none, expected: 2, parked: 2 })
  })

  it('of a store without items are all 0', () => {
    const [store] = reportOn({ stores: ['empty'] }).stores
    expect(store).toEqual({ store: 'empty', root: '/srv/empty', counts: none, bytes: 0, prefixes: [] })
  })
})

describe('prefixes', () => {
  const given = {
    items: ['readme.txt', 'a/1', 'a/b/2', 'a/b/c/3', 'ab/4', 'é/5'].map((path) => ({ path })),
  }
  it('are the top folders; files at the root stand beside them', () => {
    expect(prefixesOf(given)).toEqual([
      ['.', 1],
      ['a/', 3],
      ['ab/', 1],
      ['é/', 1],
    ])
  })
  it('are one step below a folder that was asked for, at any depth', () => {
    expect(prefixesOf(given, { prefix: 'a/' })).toEqual([
      ['.', 1],
      ['a/b/', 2],
    ])
    expect(prefixesOf(given, { prefix: 'a/b/c/' })).toEqual([['.', 1]])
  })
  it('may be cut off in the middle of a name', () => {
    expect(prefixesOf(given, { prefix: 'a' })).toEqual([
      ['a/', 3],
      ['ab/', 1],
    ])
    expect(prefixesOf(given, { prefix: 'a/b' })).toEqual([['a/b/', 2]])
  })
  it('match byte for byte: no wildcards', () => {
    expect(
      prefixesOf({ items: [{ path: '%/1' }, { path: '_/1' }, { path: 'x/1' }] }, { prefix: '%' }),
    ).toEqual([['%/', 1]])
  })
})

describe('the scope', () => {
  const given = {
    items: [
      { store: 'one', path: 'a', state: 'failed' },
      { store: 'two', path: 'a', state: 'failed' },
    ],
    stores: ['one', 'two'],
    resolutions: [
      { store: 'one', path: 'a', resolution: '1' },
      { store: 'two', path: 'a', resolution: '1' },
    ],
  }
  it('is a store', () => {
    const { stores: found, resolutions: open, failures } = reportOn(given, { store: 'one' })
    for (const list of [found, open, failures]) expect(list.map(({ store }) => store)).toEqual(['one'])
  })
  it('that is unknown holds nothing', () => {
    expect(reportOn(given, { store: 'three' })).toEqual({ at, stores: [], resolutions: [], failures: [] })
  })
  it('holds stores that nobody registered', () => {
    expect(reportOn({ items: [{ store: 'wild', path: 'a' }] }).stores).toMatchObject([{ store: 'wild' }])
  })
})

describe('the lists', () => {
  it('hold what is failed or parked, and is expected', () => {
    const { failures } = reportOn({
      items: [
        { path: 'a', state: 'failed', row: 'F2', because: 'sour' },
        { path: 'b', state: 'parked', because: 'no route' },
        { path: 'c', state: 'withdrawn', removed: 1, row: 'F2' },
        { path: 'd' },
      ],
    })
    expect(failures).toEqual([
      {
        store: 'main',
        path: 'a',
        state: 'failed',
        row: 'F2',
        because: 'sour',
        lastChecked: null,
        lastVerified: null,
      },
      {
        store: 'main',
        path: 'b',
        state: 'parked',
        row: null,
        because: 'no route',
        lastChecked: null,
        lastVerified: null,
      },
    ])
  })
  it('hold open findings, the oldest first', () => {
    const { resolutions: open } = reportOn({
      resolutions: [
        { resolution: '2', openedAt: after },
        { resolution: '1', openedAt: before },
        { resolution: '0', openedAt: before, status: 'closed' },
      ],
    })
    expect(open.map(({ resolution }) => resolution)).toEqual(['1', '2'])
    expect(Object.keys(open[0]!)).toEqual([
      'store',
      'path',
      'resolution',
      'class',
      'row',
      'summary',
      'openedAt',
    ])
  })
})

it('1,200 items in 40 folders make 10 lines, with lists that end', () => {
  const many = Array.from({ length: 1200 }, (_, i) => ({ path: `${i % 10}/${i % 40}/${i}`, state: 'failed' }))
  const { stores: found, failures } = reportOn({ items: many })
  expect(found[0]?.prefixes).toHaveLength(10)
  expect(found[0]?.counts).toMatchObject({ expected: 1200, failed: 1200 })
  expect(failures).toHaveLength(1000)
})
