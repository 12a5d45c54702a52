import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/runs.ts'
import { algorithmName, algorithms, digestBytes, isAlgorithmName } from '../src/algorithms.ts'
import { createDigests } from '../src/compute/digests.ts'
import { normaliseDigest } from '../src/digest.ts'
import { digestAlgorithm, digestDigits } from '../src/digest-names.ts'

describe('names', () => {
  it.each([
    ['SHA256', 'sha-256'],
    ['sha_512', 'sha-512'],
    [' Md5 ', 'md5'],
    ['SHA3-256', 'sha3-256'],
    ['Gost', 'gost'],
    ['sha3_256', 'sha3-256'],
    ['SHA3256', 'sha3-256'],
    ['SHA', 'sha-1'],
    ['SHA2-512/256', 'sha-512/256'],
    ['sha512_256', 'sha-512/256'],
    ['SHA512t256', 'sha-512/256'],
    ['BLAKE2s256', 'blake2s-256'],
    ['rmd160', 'ripemd-160'],
    ['RSA-SHA1-2', 'sha-1'],
    ['sha512-256WithRSAEncryption', 'sha-512/256'],
    ['blake2sp', 'blake2sp'],
    ['constructor', 'constructor'],
  ])('%s is %s', (name, normal) => {
    expect(algorithmName(name)).toBe(normal)
  })

  /** `openssl list -digest-algorithms` and `Security.getAlgorithms("MessageDigest")`. */
  const theirs = {
    'OpenSSL 3.0.19':
      'RSA-MD4 RSA-MD5 RSA-RIPEMD160 RSA-SHA1 RSA-SHA1-2 RSA-SHA224 RSA-SHA256 RSA-SHA3-224 RSA-SHA3-256 RSA-SHA3-384 RSA-SHA3-512 RSA-SHA384 ' +
      'RSA-SHA512 RSA-SHA512/224 RSA-SHA512/256 RSA-SM3 BLAKE2b512 BLAKE2s256 id-rsassa-pkcs1-v1_5-with-sha3-224 id-rsassa-pkcs1-v1_5-with-sha3-512 ' +
      'MD4 md4WithRSAEncryption MD5 MD5-SHA1 md5WithRSAEncryption ripemd RIPEMD160 ripemd160WithRSA rmd160 SHA1 sha1WithRSAEncryption SHA224 ' +
      'SHA256 SHA3-224 SHA3-256 SHA3-384 SHA3-512 SHA384 SHA512 SHA512-224 SHA512-256 sha512-224WithRSAEncryption sha512WithRSAEncryption ' +
      'SHAKE128 SHAKE256 SM3 sm3WithRSAEncryption ssl3-md5 ssl3-sha1 whirlpool BLAKE2S-256 BLAKE2B-512 SHA2-224 SHA2-256 SHA2-512/256 RIPEMD-160',
    'Java 17':
      'MD2 MD5 SHA SHA-1 SHA-224 SHA-256 SHA-384 SHA-512 SHA-512/224 SHA-512/256 SHA3-224 SHA3-256 SHA3-384 SHA3-512',
  }

  it.each(Object.entries(theirs))('of %s are all known', (_, names) => {
    expect(names.split(' ').filter((name) => !isAlgorithmName(name))).toEqual([])
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
    expect(normaliseDigest({ algorithm: 'blake2s', value })).toEqual({ algorithm: 'blake2s-256', value })
    expect(normaliseDigest({ algorithm: 'SHAKE_128', value })).toEqual({ algorithm: 'shake128-256', value })
    expect(normaliseDigest({ algorithm: 'sha2', value })).toEqual({ algorithm: 'sha-256', value })
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

  it('have the check values of the catalogue of CRCs', async () => {
    const digests = await createDigests(['crc32', 'crc32c', 'crc64nvme'])
    digests.update(Buffer.from('123456789'))
    expect([...digests.end().values()]).toEqual(['cbf43926', 'e3069283', 'ae8b14860a799888'])
  })
})
