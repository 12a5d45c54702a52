import { type Capture, formatLine } from '@fonds/cdx'
import { describe, expect, it } from 'vitest'
import { accessToRecord } from '#src/projections/indexing/access/record-access.ts'
import { indexOf, sourceOf } from '../captures/given-index.ts'

const capture: Capture = {
  url: 'http://example.com/a',
  time: '20140101000000',
  mime: 'text/html',
  status: '200',
  digest: 'A',
  redirect: '-',
  flags: '-',
  length: 100,
  offset: 700,
  file: 'a.warc.gz',
}
const index = indexOf({
  cdx: [formatLine('cdx-11', { ...capture, offset: 7 }), formatLine('cdx-11', capture)],
  cdxj: [formatLine('cdxj', { ...capture, file: 'b.warc' })],
})

describe('a record', () => {
  it.each<Partial<Capture>>([{}, { file: 'b.warc' }, { offset: 7 }])(
    '%o is seen by its line',
    async (more) => {
      expect(await accessToRecord(sourceOf(index), { ...capture, ...more })).toBe('seen')
    },
  )

  it.each<Partial<Capture>>([{ file: 'c.warc' }, { offset: 701 }, { time: '20140101000001' }])(
    '%o is not, for the line of another',
    async (more) => {
      expect(await accessToRecord(sourceOf(index), { ...capture, ...more })).toBe('unseen')
    },
  )

  it('is not where its line is hidden', async () => {
    const isHidden = (line: { field(column: 'offset'): string }) => line.field('offset') === '700'
    expect(await accessToRecord(sourceOf(index, { isHidden }), capture)).toBe('unseen')
    expect(await accessToRecord(sourceOf(index, { isHidden }), { ...capture, offset: 7 })).toBe('seen')
  })

  it('is refused with the public message of the rule that hides it', async () => {
    const rule = { rule: 'r', policy: 'deny', match: 'exact', url: capture.url } as const
    const refused = (more: object) =>
      accessToRecord(
        sourceOf(index, { isHidden: () => true, refusedBy: () => ({ ...rule, ...more }) }),
        capture,
      )
    expect(await refused({ publicMessage: 'By order of a court.' })).toEqual({
      refused: 'By order of a court.',
    })
    expect(await refused({})).toBe('unseen')
  })
})
