import { describe, expect, it } from 'vitest'
import { rejectUnreadable } from '#src/app/system-streams.ts'
import { workflows } from '#src/workflows/all.ts'

const refuse = rejectUnreadable(workflows)
const metadata = { actor: 'a', causationId: 'c', correlationId: 'c', schema: 1 }
const recorded = {
  type: 'ContentRemoved',
  data: { at: '2026-01-01T00:00:00.000Z', dueAt: '2026-02-01T00:00:00.000Z' },
  metadata,
}

describe('events from outside', () => {
  it('of duties the latest events may be kept alone, and the name that the relay has; nothing else may be ruled', () => {
    const rule = (stream: string, type: string, data: object) =>
      refuse(stream, { type, data, metadata: null })
    expect(rule('duty-relay', '$metadata', { $maxCount: 20 })).toBeUndefined()
    for (const data of [{ source: 'urn:fonds:a' }, { $maxCount: 20, source: 'urn:fonds:a' }])
      expect(rule('duty-relay', '$metadata', data)).toBeUndefined()
    for (const data of [
      { source: 7 },
      { source: '' },
      { source: 'a', other: 1 },
      {},
      { $maxAge: 1 },
      { $maxCount: 20, $tb: 7 },
      { $tb: 2 ** 63 },
      { $acl: {} },
    ])
      expect(rule('duty-relay', '$metadata', data)).toContain("Fonds' own")
    expect(rule('fixity-main/a', '$metadata', { $maxCount: 20 })).toContain("Fonds' own")
    expect(rule('duty-relay', '$streamDeleted', {})).toContain("Fonds' own")
  })
  it('who has a duty is told by Fonds alone', () => {
    const data = { holder: 'me', fence: 1, positions: {} }
    expect(refuse('duty-relay', { type: 'DutyLeft', data, metadata })).toBeUndefined()
    expect(refuse('duty-relay', { type: 'DutyLeft', data: {}, metadata })).toContain('DutyLeft')
    expect(refuse('duty-relay', { type: 'Other', data, metadata })).toContain('no event type Other')
  })
  it('any event may get into a stream of another category', () => {
    expect(refuse('letters-1', { type: 'Anything', data: 'x', metadata: null })).toBeUndefined()
  })
  it('what Fonds could have written may get into its streams', () => {
    expect(refuse('fixity-main/a', recorded)).toBeUndefined()
  })
  it.each([
    ['a type that is not known', { ...recorded, type: 'ContentEaten' }, 'no event type ContentEaten'],
    ['data of another shape', { ...recorded, data: { at: 'noon' } }, 'ContentRemoved (schema 1)'],
    ['no metadata', { ...recorded, metadata: null }, "Fonds' metadata"],
    ['metadata without an actor', { ...recorded, metadata: { ...metadata, actor: '' } }, 'actor'],
  ])('%s may not', (_, event, says) => {
    expect(refuse('fixity-main/a', event)).toContain(says)
  })
})
