import { describe, it } from 'vitest'
import { useSeed } from '../../../e2e/crash/seed.ts'
import { useReader } from '../read-bytes.ts'
import { expectCut, expectFlipped, flipBit, wholeFiles } from './damage.ts'

/* What `damage.test.ts` tries here and there, at every byte. */

describe.each(wholeFiles)('$name (W16, W35)', (file) => {
  const bytes = Buffer.concat(file.pieces)

  it('fails wherever it is cut, but between two records', async () => {
    const reader = useReader({ name: file.name })
    const whole = await reader.readBytes(bytes)
    for (let place = 0; place <= bytes.length; place++)
      expectCut(file, whole, place, await reader.readBytes(bytes.subarray(0, place)))
  })

  it('with a bit flipped in each byte never gives other captures where it is packed', async () => {
    const { chance } = useSeed()
    const reader = useReader({ name: file.name })
    const whole = await reader.readBytes(bytes)
    for (let byte = 0; byte < bytes.length; byte++) {
      const bit = byte * 8 + Math.floor(chance() * 8)
      expectFlipped(file, whole, bit, await reader.readBytes(flipBit(bytes, bit)))
    }
  })
})
