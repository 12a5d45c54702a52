import { expect, it } from 'vitest'
import { apart } from '../../dashboard/src/pages/compare/apart.ts'
import type { Change } from '../../dashboard/src/pages/compare/diff.ts'
import { tell } from '../../dashboard/src/pages/compare/tell.ts'

const item = { store: 'main', path: 'a/b.tif', state: 'verified', due: '2026-01-01T00:00:00Z' }

const change = (kind: Change['kind'], before: object | null, after: object | null) =>
  ({ kind, key: {}, columns: [], before, after, events: [] }) as unknown as Change

it('says of an item that it got worse, with what it was, what it is, and why', () => {
  expect(
    tell('fixity-items', change('changed', item, { ...item, state: 'failed', because: 'its bytes changed' })),
  ).toEqual({
    group: 'worse',
    subject: 'main/a/b.tif',
    before: { is: 'well', words: 'verified' },
    after: { is: 'wrong', words: 'failed' },
    because: 'its bytes changed',
  })
})

it('never calls an item settled that is not well', () => {
  const group = (from: string, to: string) =>
    tell('fixity-items', change('changed', { ...item, state: from }, { ...item, state: to }))?.group
  expect(group('failed', 'verified')).toBe('settled')
  expect(group('failed', 'lost')).toBe('changed')
  expect(group('verified', 'suspect')).toBe('worse')
  expect(group('failed', 'suspect')).toBe('changed')
})

it('says of an item that was looked at again when it is due now, as routine', () => {
  expect(
    tell('fixity-items', change('changed', item, { ...item, due: '2026-04-02T00:00:00Z' })),
  ).toMatchObject({
    group: 'routine',
    after: { words: 'verified, due 3 months later' },
  })
  expect(apart('2026-04-02T00:00:00Z', '2026-04-01T00:00:00Z')).toBe('1 day earlier')
})

it('says who settled a finding, how and why; lost is no good end', () => {
  const open = { store: 'main', path: 'a', status: 'open' }
  const closed = { ...open, status: 'closed', how: 'lost', actor: 'ada', reason: 'the disk is gone' }
  expect(tell('fixity-resolutions', change('changed', open, closed))).toMatchObject({
    group: 'settled',
    after: { is: 'wrong', words: 'lost' },
    because: 'ada: the disk is gone',
  })
})

it('says what came and what went, and nothing of views that nobody speaks of', () => {
  expect(tell('ingest-jobs', change('came', null, { job: 4, state: 'failed', message: '404' }))?.group).toBe(
    'worse',
  )
  expect(tell('fixity-items', change('went', item, null))?.group).toBe('went')
  expect(tell('fixity-counts', change('changed', {}, {}))).toBeUndefined()
})
