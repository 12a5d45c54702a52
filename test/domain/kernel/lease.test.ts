import fc from 'fast-check'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { checkFence, extend, grant, isActive, type Lease } from '#src/domain/kernel/lease.ts'

const before = '2026-01-31T11:59:59.999Z'
const deadline = '2026-01-31T12:00:00.000Z'
const later = '2026-01-31T12:10:00.000Z'
const lease: Lease = { holder: 'ada', deadline, fence: 3 }

describe('a lease', () => {
  it('is active until its deadline, and no longer at it', () => {
    expect(isActive(lease, before)).toBe(true)
    expect(isActive(lease, deadline)).toBe(false)
    expect(isActive(undefined, before)).toBe(false)
  })

  it('is not granted while another is active, and the refusal says whose and until when', () => {
    const refused = grant(lease, 3, 'ben', before, later)
    expect(refused).toMatchObject({ left: { code: 'held' } })
    expect(JSON.stringify(refused)).toMatch(/ada.*2026-01-31T12:00:00.000Z/)
  })

  it('is granted once the other has passed, with the next fence', () => {
    expect(grant(lease, 3, 'ben', deadline, later)).toEqual({
      _tag: 'Right',
      right: { holder: 'ben', deadline: later, fence: 4 },
    })
  })

  it('goes on counting fences where no lease is left', () => {
    expect(grant(undefined, 3, 'ben', before, later)).toMatchObject({ right: { fence: 4 } })
    expect(grant(undefined, 0, 'ben', before, later)).toMatchObject({ right: { fence: 1 } })
  })
})

describe('a fence', () => {
  it('holds while it is the last, even past the deadline', () => {
    expect(checkFence(lease, 3)).toEqual({ _tag: 'Right', right: lease })
  })

  it.each([
    ['overtaken', lease, 2],
    ['never granted', lease, 4],
    ['given back', undefined, 3],
  ])('does not hold once %s', (_, current, fence) => {
    expect(checkFence(current, fence)).toMatchObject({ left: { code: 'fenced' } })
  })
})

describe('extending', () => {
  it('moves the deadline, never back', () => {
    expect(extend(lease, 3, before, later)).toMatchObject({ right: { deadline: later, fence: 3 } })
    expect(extend(lease, 3, before, before)).toEqual({ _tag: 'Right', right: lease })
  })

  it.each([
    ['the deadline has passed', lease, 3, deadline],
    ['another holds it', lease, 2, before],
    ['it was given back', undefined, 3, before],
  ])('is refused where %s', (_, current, fence, now) => {
    expect(extend(current, fence, now, later)).toMatchObject({ left: { code: 'fenced' } })
  })
})

it('at no moment are two leases active, whoever asks when', () => {
  const asks = fc.array(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 20 })), { maxLength: 30 })
  const time = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  fc.assert(
    fc.property(asks, (raw) => {
      let current: Lease | undefined
      let until = 0
      for (const [start, length] of raw.toSorted(([a], [b]) => a - b)) {
        const granted = grant(current, current?.fence ?? 0, 'ada', time(start), time(start + length))
        expect(isRight(granted)).toBe(start >= until)
        if (!isRight(granted)) continue
        current = granted.right
        until = start + length
      }
    }),
  )
})
