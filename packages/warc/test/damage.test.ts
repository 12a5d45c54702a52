import fc from 'fast-check'
import { describe, it } from 'vitest'
import { runs } from '../../../test/runs.ts'
import { expectCut, expectFlipped, flipBit, someCuts, wholeFiles } from './damage.ts'
import { useReader } from './read-bytes.ts'

/* Here and there; `damage.integration.test.ts` damages every byte. */

describe.each(wholeFiles)('$name', (file) => {
  const bytes = Buffer.concat(file.pieces)

  it('fails where it is cut, but between two records', async () => {
    const reader = useReader(file.name)
    const whole = await reader.readBytes(bytes)
    for (const place of someCuts(file))
      expectCut(file, whole, place, await reader.readBytes(bytes.subarray(0, place)))
  })

  it('with a flipped bit never gives other records where it is packed', async () => {
    const reader = useReader(file.name)
    const whole = await reader.readBytes(bytes)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length * 8 - 1 }), async (bit) => {
        expectFlipped(file, whole, bit, await reader.readBytes(flipBit(bytes, bit)))
      }),
      { numRuns: runs(50) },
    )
  })
})
