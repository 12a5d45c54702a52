import { describe, expect, it } from 'vitest'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { firstReading } from '#src/domain/fixity/upcasts.ts'
import { history, observe, only, t, typesOf } from './commands.ts'
import { md5, sha256 } from './witnesses.ts'

/* Content that gave no bytes when it was added: the first check that reads it is its first reading. */

const bare = (recordedFrom: string): FixityEvent => ({
  type: 'ContentRecorded',
  data: { checksums: [], recordedFrom, at: t(0), dueAt: t(0) },
})
const ownIndex = { index: { status: 'recorded' as const, checksums: [] }, audit: undefined }
const checked = (pattern: string, recordedFrom = firstReading) =>
  history([bare(recordedFrom)], observe(pattern, 1, ownIndex)).slice(1)

describe('the first reading by a check', () => {
  it.each(['AA??', 'A???'])('%s: what was read is the record, and is verified by nothing yet', (pattern) => {
    const events = checked(pattern)
    expect(typesOf(events)).toEqual(['FixityDecided', 'IndexCorrected', 'AuditSupplemented'])
    expect(only(events, 'FixityDecided')).toMatchObject({ row: 'clause 4', outcome: 'unverified' })
    const reading = [sha256('A'), md5('A')].map((one) => ({ ...one, basis: 'first-reading' }))
    expect(only(events, 'AuditSupplemented')).toMatchObject({ checksums: reading, from: 'content' })
  })

  it('is compared by the next check', () => {
    const twice = history([bare(firstReading)], observe('A???', 1, ownIndex), observe('B???', 2, ownIndex))
    expect(twice.at(-1)).toMatchObject({ type: 'FixityDecided', data: { outcome: 'retry' } })
    const same = history([bare(firstReading)], observe('A???', 1, ownIndex), observe('A???', 2, ownIndex))
    expect(same.at(-1)).toMatchObject({ type: 'FixityDecided', data: { outcome: 'success' } })
  })

  it('is no record where the storage claims other bytes, and where a producer recorded none', () => {
    expect(typesOf(checked('AB??'))).not.toContain('AuditSupplemented')
    expect(typesOf(checked('A???', 'manifest'))).toEqual(['FixityDecided', 'ReauditRequested'])
    expect(typesOf(checked('nA??'))).not.toContain('AuditSupplemented')
  })

  it('leaves an outside index as it is', () => {
    const index: FixityEvent = { type: 'IndexRecorded', data: { checksums: [], at: t(0) } }
    const events = history([bare(firstReading), index], observe('A???', 1, ownIndex)).slice(2)
    expect(typesOf(events)).toEqual(['FixityDecided', 'AuditSupplemented'])
  })
})
