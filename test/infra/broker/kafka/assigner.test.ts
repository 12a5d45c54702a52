import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shareByNumber } from '#infra/broker/kafka/assigner.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

it('a number is with one member on all topics, and members have as many numbers as each other, or one more', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 12 }),
      (members, count) => {
        const topics = ['a', 'b'].map((topic) => ({ topic, numbers: numbers(count) }))
        const shares = [...shareByNumber(members, topics).values()]
        for (const share of shares) expect(share.a).toEqual(share.b)
        expect(shares.flatMap((share) => share.a ?? []).sort((a, b) => a - b)).toEqual(numbers(count))
        const sizes = shares.map((share) => share.a?.length ?? 0)
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      },
    ),
  )
})
