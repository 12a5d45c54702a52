import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BatchEvent } from '#src/domain/fixity/batch/events.ts'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { history, item, observe, recorded, t } from '../../domain/fixity/commands.ts'
import { sha256 } from '../../domain/fixity/witnesses.ts'
import { runs } from '../../runs.ts'
import { type FixityViews, fixityViews } from './views.ts'

/* A request for many items is one row, as long as one of them waits. */

const named = (path: string) => ({ ...item, path })
const known = (views: FixityViews, ...paths: readonly string[]) => {
  for (const path of paths) views.fold([recorded()], named(path))
}
const ask = (views: FixityViews, paths: readonly string[], request?: string, minutes = 30) =>
  views.foldRequest(
    [
      {
        type: 'ChecksRequested',
        data: { store: 'main', paths: [...paths], queue: 'high', reason: 'r', dueAt: t(minutes) },
      },
    ],
    request,
  )
const checked = (views: FixityViews, paths: readonly string[], revision = 0) => {
  const entry = (path: string) => ({
    path,
    revision,
    size: 1,
    checksums: { 'sha-256': sha256('A').value },
    version: 'v1',
    modifiedAt: t(0),
    observedAt: t(40),
    dueAt: t(9000),
  })
  const intact = [{ pattern: 'A?AA', row: 'clause 6', because: 'as recorded', items: paths.map(entry) }]
  const found: BatchEvent = { type: 'BatchChecked', data: { store: 'main', worker: 'w', intact, others: 0 } }
  views.foldBatch([found])
}
const waiting = (views: FixityViews) => views.rows('fixity-requests').map(({ paths }) => paths)

describe('a request for many items', () => {
  it('is a row with those at rest; their own rows stay as they are', () => {
    const views = fixityViews()
    known(views, 'a', 'b')
    views.fold(history([recorded()], observe('BAAA', 1)), named('failed'))
    const before = views.rows('fixity-items')
    ask(views, ['a', 'b', 'failed', 'unknown'])
    expect(views.rows('fixity-items')).toEqual(before)
    expect(views.rows('fixity-requests')).toEqual([
      {
        request: '1/a',
        store: 'main',
        queue: 'high',
        due: t(30),
        items: 2,
        paths: ['a', 'b'],
        position: expect.any(Number),
      },
    ])
  })

  it('of none at rest is no row', () => {
    const views = fixityViews()
    ask(views, ['unknown'])
    expect([views.rows('fixity-requests'), views.rows('fixity-request-places')]).toEqual([[], []])
  })

  it('ends item by item with their checks, and is gone with the last', () => {
    const views = fixityViews()
    known(views, 'a', 'b', 'c')
    ask(views, ['a', 'b', 'c'])
    checked(views, ['a', 'c'])
    expect(waiting(views)).toEqual([['b']])
    checked(views, ['b'])
    expect([views.rows('fixity-requests'), views.rows('fixity-request-places')]).toEqual([[], []])
  })

  it('does not end with what was found of an older record', () => {
    const views = fixityViews()
    known(views, 'a')
    views.fold([recorded('B', 1)], named('a'))
    ask(views, ['a'])
    checked(views, ['a'], 0)
    expect(waiting(views)).toEqual([['a']])
  })

  it.each<[string, readonly FixityEvent[]]>([
    ['recorded anew', [recorded('B', 31)]],
    ['recorded as removed', [{ type: 'ContentRemoved', data: { at: t(31), dueAt: t(31) } }]],
    [
      'asked for by itself',
      [{ type: 'CheckRequested', data: { queue: 'low', reason: 'r', dueAt: t(31) } } as never],
    ],
    ['given up', [{ type: 'CheckParked', data: { run: 1, error: 'e', at: t(31) } }]],
    ['found bad', history([recorded()], observe('BAAA', 31)).slice(1)],
  ])('ends for an item that was %s: its own stream says what is next', (_, since) => {
    const views = fixityViews()
    known(views, 'a', 'b')
    ask(views, ['a', 'b'])
    views.fold(since, named('a'))
    expect(waiting(views)).toEqual([['b']])
  })

  it('goes on for an item that somebody claimed, and gave back', () => {
    const views = fixityViews()
    known(views, 'a')
    ask(views, ['a'])
    views.fold(
      [
        { type: 'CheckClaimed', data: { holder: 'x', fence: 1, deadline: t(39), attempt: 'first', run: 1 } },
        { type: 'ClaimReleased', data: { fence: 1, reason: 'r' } } as never,
      ],
      named('a'),
    )
    expect(waiting(views)).toEqual([['a']])
  })
})

it('whatever is asked for and checked in whatever order, those wait that were not checked since', () => {
  // Names whose order in UTF-8 and in UTF-16 is not the same.
  const names = ['a', 'b', 'b/1', 'ä', '\uffee', '\u{1f600}', '\u{10ffff}', '%', ' ', 'z']
  const some = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('ask' as const), paths: some }),
    fc.record({ kind: fc.constant('check' as const), paths: some }),
  )
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const views = fixityViews()
      known(views, ...names)
      const model = new Map<string, readonly string[]>()
      for (const [i, { kind, paths }] of steps.entries()) {
        if (kind === 'ask') {
          ask(views, paths, `${i}/a`)
          model.set(`${i}/a`, paths)
        } else {
          checked(views, paths)
          for (const [request, left] of model)
            model.set(
              request,
              left.filter((path) => !paths.includes(path)),
            )
        }
        const open = [...model].filter(([, left]) => left.length > 0)
        const rows = views.rows('fixity-requests')
        expect(new Map(rows.map(({ request, paths }) => [request, paths]))).toEqual(new Map(open))
        expect(rows.map(({ items }) => items)).toEqual(rows.map(({ paths }) => (paths as string[]).length))
        const [places] = views.rows('fixity-request-places')
        const placed = (places?.requests ?? []) as readonly { readonly request: string }[]
        expect(placed.map(({ request }) => request)).toEqual(open.map(([request]) => request))
      }
    }),
    { numRuns: runs(50) },
  )
})
