import { expect, test } from 'vitest'
import { wantedBy } from '../../dashboard/src/search/wanted.ts'

const paths = ['fixity-stores', 'fixity-items', 'fixity-folders', 'indexing-files', 'ingest-files']

test.each([
  ['herbal', { text: 'herbal', hasPages: true }],
  ['  herbal plate ', { text: 'herbal plate', hasPages: true }],
  ['> hold', { text: 'hold', kind: ['commands'], hasPages: false }],
  ['>', { text: '', kind: ['commands'], hasPages: false }],
  ['#7', { text: '7', kind: ['ingest-batches', 'ingest-jobs'], hasPages: false }],
  ['/letters', { text: 'letters', kind: paths, hasPages: false }],
  ['/srv/archive/letters', { text: '/srv/archive/letters', kind: paths, hasPages: false }],
  ['@42', { text: '42', kind: ['events'], hasPages: false }],
  ['42', { text: '42', hasPages: true }],
  ['', { text: '', hasPages: true }],
])('%j asks the server', (typed, wanted) => {
  expect(wantedBy(typed)).toEqual(wanted)
})

test('a time is a moment, with or without an @', () => {
  for (const typed of ['2026-01-31T12:00:00Z', '@2026-01-31T12:00:00Z'])
    expect(wantedBy(typed).moment).toBe('2026-01-31T12:00:00Z')
  expect(wantedBy('@2026-01-31').moment).toMatch(/^2026-0[12]-.*Z$/)
  for (const typed of ['@42', '2026-02-31', '@soon', '> 2026-01-31'])
    expect(wantedBy(typed).moment).toBe(undefined)
})
