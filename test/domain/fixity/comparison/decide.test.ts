import { describe, expect, it } from 'vitest'
import { comparisonDecider, type TakeIn } from '#src/domain/fixity/comparison/decide.ts'
import type { ComparisonEvent } from '#src/domain/fixity/comparison/events.ts'
import { maxRequests } from '#src/domain/fixity/comparison/requests.ts'
import { specify } from '../../../given.ts'
import { start, t } from '../commands.ts'

const given = specify(comparisonDecider)
const takeIn: TakeIn = { ...{ type: 'TakeIn', store: 'main', prefix: 'x', isFile: true }, ...by(0) }

function by(minutes: number) {
  return { actor: 'ada', reason: 'scanned', at: t(minutes) }
}

const asked = (amount: number): readonly ComparisonEvent[] =>
  Array.from({ length: amount }, (_, i) => ({
    type: 'TakeInRequested' as const,
    data: { store: 'main', prefix: `file ${i}`, isFile: true as const, reason: 'scanned', at: t(i) },
  }))

const differences = {
  ...{ new: 0, missing: 0, moved: 0, changed: 0, unlisted: 0, excluded: 0 },
  first: { new: [], missing: [], moved: [], changed: [] },
}
const compared = (answered?: { at: string; prefix: string; isFile: true }[]): ComparisonEvent => ({
  type: 'StoreCompared',
  data: {
    ...{ store: 'main', differences, newFiles: 'ask', takenIn: 0, at: t(500), requestedAt: t(499) },
    ...(answered && { answered }),
  },
})

describe('requests to take new files in', () => {
  it('are refused once a hundred of a store wait, and taken again when a comparison has answered one', () => {
    expect(given(...asked(maxRequests - 1)).when(takeIn).events).toMatchObject([{ type: 'TakeInRequested' }])
    const full = asked(maxRequests)
    expect(given(...full).when(takeIn).result).toMatchObject({
      left: {
        code: 'too-many-requests',
        message: expect.stringMatching(/^100 requests .* store main .*ask again/),
      },
    })
    const one = { at: start, prefix: 'file 0', isFile: true } as const
    expect(given(...full, compared([one])).when(takeIn).events).toHaveLength(1)
    const other = { ...one, prefix: 'file 0 of another' }
    given(...full, compared([other]))
      .when(takeIn)
      .gives('too-many-requests')
  })

  it('of a log of an older program, which dropped the oldest, end with those that a comparison answers', () => {
    const old = asked(maxRequests + 20)
    given(...old)
      .when(takeIn)
      .gives('too-many-requests')
    // Older comparisons name none: they answer all up to a time.
    expect(given(...old, compared()).when(takeIn).events).toHaveLength(1)
    const answered = asked(maxRequests + 20)
      .slice(20)
      .map(({ data }) => ({
        at: data.at,
        prefix: (data as { prefix: string }).prefix,
        isFile: true as const,
      }))
    expect(given(...old, compared(answered)).when(takeIn).events).toHaveLength(1)
  })
})
