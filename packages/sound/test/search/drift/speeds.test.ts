import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { driftCost, excerptSamples, searchesFor, slipOf, speedsOf } from '../../../src/search/drift/speeds.ts'
import { babble, chance, tone } from '../sounds.ts'

describe('speeds that are looked for', () => {
  test('no speed of those wanted is further from one of them than half a step', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 800, max: excerptSamples }),
        fc.double({ min: 2, max: 8, noNaN: true }),
        fc.double({ min: 0, max: 0.01, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (samples, slip, drift, share) => {
          const aside = Math.min(
            ...speedsOf(samples, slip, drift).map((speed) => Math.abs(speed - 1 - drift * share)),
          )
          expect(aside * samples).toBeLessThanOrEqual(slip / 2 + 1e-6)
        },
      ),
    )
  })

  test('its own among them, and alone where a step is more than what is wanted', () => {
    expect(speedsOf(8000, 4, 0.001)).toEqual([0.999, 0.9995, 1, 1.0005, 1.001])
    expect(speedsOf(8000, 4, 0.0002)).toEqual([1])
  })

  test('the higher the pitch, the less it may slip', () => {
    const next = chance(1)
    const white = Int16Array.from({ length: 8000 }, () => (next() - 0.5) * 9000)
    const slips = [tone(1, 3500), white, babble(1, 1), tone(1, 300)].map(slipOf)
    expect(slips).toEqual(slips.toSorted((a, b) => a - b))
    expect(slips[0]).toBe(2)
    expect(slips[3]).toBe(8)
  })

  test('what it costs; nothing where no drift is looked for', () => {
    expect(searchesFor(80_000, 0)).toBe(1)
    expect(searchesFor(4000, 0.01)).toBe(42)
    expect(searchesFor(80_000, 0.01)).toBe(163)
    expect(driftCost(0.001)).toBe(
      'clips are looked for at speeds up to 0.1 % off: one of 2 s and more costs 7 searches in place of one, up to 19 where it is of high pitch',
    )
  })
})
