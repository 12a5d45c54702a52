import fc from 'fast-check'
import { describe, it } from 'vitest'
import { expectCut, expectFlipped, flipBit, wholeFiles } from './damage.ts'
import { useReader } from './read-bytes.ts'

/* What `damage.test.ts` tries here and there, at every byte. */

describe.each(wholeFiles)('$name', (file) => {
  const bytes = Buffer.concat(file.pieces)

  it('fails wherever it is cut, but between two records', async () => {
    const reader = useReader(file.name)
    const whole = await reader.readBytes(bytes)
    for (let place = 0; place <= bytes.length; place++)
      expectCut(file, whole, place, await reader.readBytes(bytes.subarray(0, place)))
  })

  it('with a bit flipped in each byte never gives other records where it is packed', async () => {
    const bits = fc.sample(fc.integer({ min: 0, max: 7 }), { numRuns: bytes.length })
    const reader = useReader(file.name)
    const whole = await reader.readBytes(bytes)
    for (let byte = 0; byte < bytes.length; byte++) {
      const bit = byte * 8 + bits[byte]!
      expectFlipped(file, whole, bit, await reader.readBytes(flipBit(bytes, bit)))
    }
  })
})
