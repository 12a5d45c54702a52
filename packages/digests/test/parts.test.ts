import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/runs.ts'
import { createOtherHashers } from '../src/compute/hashers.ts'
import { digestFromBase64, digestToBase64, normaliseDigest } from '../src/digest.ts'
import { baseAlgorithm, partsAlgorithm, partsOf } from '../src/parts.ts'

const hasherOf = createOtherHashers()
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest()

describe('names of digests of parts', () => {
  it.each([
    [[8388608, 8388608, 100], 'md5/parts:8388608*2+100'],
    [[5], 'md5/parts:5'],
    [[0], 'md5/parts:0'],
    [[1, 2, 1], 'md5/parts:1+2+1'],
  ])('%j', (sizes, name) => {
    expect(partsAlgorithm('md5', sizes)).toBe(name)
    expect(partsOf(name)).toEqual({ of: 'md5', sizes })
    expect(baseAlgorithm(name)).toBe('md5')
  })

  it('are none of no parts, too many, too many sizes, or what is no size', () => {
    const many = Array.from({ length: 10_001 }, () => 1)
    const unlike = Array.from({ length: 1000 }, (_, i) => i)
    for (const sizes of [[], many, unlike, [-1], [0.5]]) expect(partsAlgorithm('md5', sizes)).toBeUndefined()
  })

  it.each([
    'md5/parts:',
    'md5/parts:1*20000',
    'md5/parts:01',
    'md5/parts:1+1',
    'md6/parts:1',
    'md5/parts',
    'md5/parts:1*0',
    'sha-256',
  ])('are none of %j', (name) => expect(partsOf(name)).toBeUndefined())
})

describe('a digest of parts', () => {
  it('is that of the digests of the parts, however the bytes come', async () => {
    const some = fc.record({
      sizes: fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
      cuts: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      algorithm: fc.constantFrom('md5' as const, 'crc32' as const),
    })
    await fc.assert(
      fc.asyncProperty(some, async ({ sizes, cuts, algorithm }) => {
        const bytes = Buffer.from(Array.from({ length: sizes.reduce((a, b) => a + b) }, (_, i) => i % 251))
        const hasher = await hasherOf(partsAlgorithm(algorithm, sizes) ?? 'md5')
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = cuts[i % cuts.length] ?? 1
          hasher.update(bytes.subarray(at, at + size))
          at += size
        }
        const endOf = (i: number) => sizes.slice(0, i + 1).reduce((a, b) => a + b)
        const parts = sizes.map((size, i) => bytes.subarray(endOf(i) - size, endOf(i)))
        const crc = (part: Uint8Array) => Buffer.from(crc32(part).toString(16).padStart(8, '0'), 'hex')
        const expected =
          algorithm === 'md5' ? md5(Buffer.concat(parts.map(md5))) : crc(Buffer.concat(parts.map(crc)))
        expect(hasher.digest()).toBe(expected.toString('hex'))
      }),
      { numRuns: runs(100) },
    )
  })

  it('is another one of bytes that are longer or shorter than the parts', async () => {
    const digestOf = async (bytes: string) => {
      const hasher = await hasherOf('sha-256/parts:2*2')
      hasher.update(Buffer.from(bytes))
      return hasher.digest()
    }
    const all = await Promise.all(['abcd', 'abc', 'ab', '', 'abcde', 'abcdef'].map(digestOf))
    expect(new Set(all).size).toBe(all.length)
  })

  it.each(['crc32c', 'crc64nvme', 'md2'] as const)('is computed of %s, twice', async (algorithm) => {
    const digest = async () => {
      const hasher = await hasherOf(`${algorithm}/parts:1*3`)
      hasher.update(Buffer.from('abc'))
      return hasher.digest()
    }
    const parts = await Promise.all(
      ['a', 'b', 'c'].map(async (part) => {
        const hasher = await hasherOf(algorithm)
        hasher.update(Buffer.from(part))
        return hasher.digest()
      }),
    )
    const whole = await hasherOf(algorithm)
    whole.update(Buffer.from(parts.join(''), 'hex'))
    const expected = whole.digest()
    expect([await digest(), await digest()]).toEqual([expected, expected])
  })

  it('has the normal form of its algorithm', () => {
    const algorithm = 'md5/parts:3*2'
    expect(normaliseDigest({ algorithm, value: `"${'AB'.repeat(16)}"` })).toEqual({
      algorithm,
      value: 'ab'.repeat(16),
    })
    expect(normaliseDigest({ algorithm, value: 'abcd' })).toBeUndefined()
    expect(normaliseDigest({ algorithm: 'md5/parts:x', value: 'ab'.repeat(16) })).toBeUndefined()
  })
})

describe('base64', () => {
  it('of a digest, there and back', () => {
    expect(digestFromBase64('sha-1', '2jmj7l5rSw0yVb/vlWAYkK/YBwk=')).toBe(
      'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    )
    expect(digestToBase64('da39a3ee5e6b4b0d3255bfef95601890afd80709')).toBe('2jmj7l5rSw0yVb/vlWAYkK/YBwk=')
    expect(digestFromBase64('crc64nvme', 'rosUhgp5mIg=')).toBe('ae8b14860a799888')
  })

  it.each(['', 'AAAA', 'AAAAAA', 'AAAAAB==', 'AAAA AA==', 'AAAAAA=', 'deadbeef', '_-AAAA=='])(
    'is no CRC-32: %j',
    (text) => {
      expect(digestFromBase64('crc32', text)).toBeUndefined()
    },
  )
})
