import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/runs.ts'
import { createDigests } from '../src/compute/digests.ts'
import { algorithmName, algorithms, digestBytes, normaliseDigest } from '../src/digest.ts'
import { digestAlgorithm, digestDigits } from '../src/digest-names.ts'

describe('names', () => {
  it.each([
    ['SHA256', 'sha-256'],
    ['sha_512', 'sha-512'],
    [' Md5 ', 'md5'],
    ['SHA3-256', 'sha3-256'],
    ['Gost', 'gost'],
  ])('%s is %s', (name, normal) => {
    expect(algorithmName(name)).toBe(normal)
  })

  it('of what can be computed are without punctuation', () => {
    expect(['SHA-256', 'sha_1', 'Adler32', 'gost'].map(digestAlgorithm)).toEqual([
      'sha256',
      'sha1',
      'adler32',
      undefined,
    ])
  })
})

describe('the normal form', () => {
  it('is the same for hex in any case, base64, base64 of URLs and quotes', () => {
    const digest = fc.constantFrom(...algorithms).chain((algorithm) =>
      fc.record({
        algorithm: fc.constant(algorithm),
        bytes: fc.uint8Array({ minLength: digestBytes[algorithm], maxLength: digestBytes[algorithm] }),
      }),
    )
    fc.assert(
      fc.property(digest, ({ algorithm, bytes }) => {
        const buffer = Buffer.from(bytes)
        const value = buffer.toString('hex')
        // What is hex by chance counts as hex.
        const base64 = (['base64', 'base64url'] as const).map((form) => buffer.toString(form))
        for (const text of [value, value.toUpperCase(), `"${value}"`, `W/"${value}"`, ...base64])
          expect(normaliseDigest({ algorithm, value: text })).toEqual({ algorithm, value })
      }),
      { numRuns: runs(100) },
    )
  })

  it('takes the algorithm from the length where its name has none', () => {
    const value = 'ab'.repeat(32)
    expect(normaliseDigest({ algorithm: 'blake2b', value })).toEqual({ algorithm: 'blake2b-256', value })
    expect(normaliseDigest({ algorithm: 'SHA3', value })).toEqual({ algorithm: 'sha3-256', value })
  })

  it.each(['', 'ab', `${'ab'.repeat(16)}-12`, 'x'.repeat(32)])('is none of the md5 digest %j', (value) => {
    expect(normaliseDigest({ algorithm: 'md5', value })).toBeUndefined()
  })
})

describe('digests', () => {
  it('of one run of bytes are computed together', async () => {
    const all = Object.keys(digestDigits) as (keyof typeof digestDigits)[]
    const digests = await createDigests(all)
    for (const piece of ['a', '', 'bc']) digests.update(Buffer.from(piece))
    const found = digests.end()
    for (const [algorithm, digits] of Object.entries(digestDigits))
      expect(found.get(algorithm as keyof typeof digestDigits)).toHaveLength(digits)
    expect(found.get('sha512')).toBe(createHash('sha512').update('abc').digest('hex'))
    expect([found.get('crc32'), found.get('adler32')]).toEqual(['352441c2', '024d0127'])
  })
})
