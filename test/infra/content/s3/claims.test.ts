import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  claimsOf,
  type DescribedObject,
  needsPartSizes,
  partsCount,
} from '../../../../infra/content/s3/claims.ts'

const md5 = '0123456789abcdef0123456789abcdef'
const sha256 = createHash('sha256').update('x').digest('hex')
const asBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
const described = (object: Partial<DescribedObject>): DescribedObject => ({
  size: 10,
  etag: md5,
  checksums: {},
  metadata: {},
  ...object,
})
const isMd5 = { algorithm: 'md5', value: md5 }
const isSha256 = { algorithm: 'sha-256', value: sha256 }

describe('the ETag', () => {
  test.each(['AES256', undefined])(
    'is the MD5 of what was put in one piece (encryption %s)',
    (encryption) => {
      expect(claimsOf(described(encryption ? { encryption } : {}))).toEqual([isMd5])
    },
  )

  test.each(['aws:kms', 'aws:kms:dsse', 'customer', 'something new'])(
    'is no MD5 with encryption %s',
    (encryption) => {
      expect(claimsOf(described({ encryption }))).toEqual([])
      expect(claimsOf(described({ encryption, etag: `${md5}-2` }), [5, 5])).toEqual([])
    },
  )

  test.each(['opaque-tag', `${md5}0`, 'W/x', '', `${md5}-x`])('is none where it is %j', (etag) => {
    expect(claimsOf(described({ etag }))).toEqual([])
  })

  test('is none of a server whose tags are opaque', () => {
    expect(claimsOf(described({}), undefined, { etags: 'opaque' })).toEqual([])
  })

  test('of an object in parts is compared with the parts computed again', () => {
    expect(claimsOf(described({ etag: `${md5}-3` }), [4, 4, 2])).toEqual([
      { algorithm: 'md5/parts:4*2+2', value: md5 },
    ])
  })

  test.each([
    ['not known', undefined],
    ['of another number', [5, 5]],
    ['of another sum', [4, 4, 4]],
    ['not sizes', [5, 5, Number.NaN]],
  ])('is comparable with nothing where sizes are %s', (_, sizes) => {
    expect(claimsOf(described({ etag: `${md5}-3` }), sizes)).toEqual([
      { algorithm: 'md5/parts', value: `${md5}-3` },
    ])
  })
})

describe('a checksum', () => {
  test('of the whole object is hex of its base64, by algorithm', () => {
    const checksums = {
      sha256: asBase64(sha256),
      sha1: asBase64('ab'.repeat(20)),
      crc32: 'y/Q5Jg==',
      crc32c: '4waSgw==',
      crc64nvme: 'rosUhgp5mIg=',
    }
    const object = described({ checksums, checksumType: 'FULL_OBJECT', etag: `${md5}-2` })
    expect(claimsOf(object)).toEqual([
      isSha256,
      { algorithm: 'sha-1', value: 'ab'.repeat(20) },
      { algorithm: 'crc32', value: 'cbf43926' },
      { algorithm: 'crc32c', value: 'e3069283' },
      { algorithm: 'crc64nvme', value: 'ae8b14860a799888' },
      { algorithm: 'md5/parts', value: `${md5}-2` },
    ])
    expect(needsPartSizes(object)).toBe(false)
  })

  test('of a single piece needs no type', () => {
    expect(claimsOf(described({ checksums: { sha256: asBase64(sha256) } }))).toEqual([isSha256, isMd5])
  })

  test('of parts is computed again of the parts', () => {
    const value = `${asBase64(sha256)}-2`
    const object = described({ checksums: { sha256: value }, checksumType: 'COMPOSITE', etag: `${md5}-2` })
    expect(needsPartSizes(object)).toBe(true)
    expect(claimsOf(object)).toEqual([
      { algorithm: 'sha-256/parts', value },
      { algorithm: 'md5/parts', value: `${md5}-2` },
    ])
    expect(claimsOf(object, [6, 4])).toEqual([
      { algorithm: 'sha-256/parts:6+4', value: sha256 },
      { algorithm: 'md5/parts:6+4', value: md5 },
    ])
  })

  test.each([
    ['without -N, and no type', { checksums: { sha256: asBase64(sha256) } }],
    [
      'without -N, of the type COMPOSITE',
      { checksums: { sha256: asBase64(sha256) }, checksumType: 'COMPOSITE' },
    ],
    ['with -N, and no type', { checksums: { sha256: `${asBase64(sha256)}-2` } }],
    [
      'with -N, of the type FULL_OBJECT',
      { checksums: { sha256: `${asBase64(sha256)}-2` }, checksumType: 'FULL_OBJECT' },
    ],
  ] as const)('of an object in parts, %s, is never taken for that of the bytes', (_, object) => {
    const [claim] = claimsOf(described({ ...object, etag: `${md5}-2` }))
    expect(claim?.algorithm).toBe('sha-256/parts')
  })

  test.each([
    ['crc64nvme', 'AAAAAA==', 'crc64nvme'],
    ['sha256', 'not base64!', 'sha-256'],
    ['sha256', sha256, 'sha-256'],
    ['crc32', 'AAAAAAAA', 'crc32'],
    ['crc32', '-2', 'crc32'],
  ])('%s of %j is no checksum, and kept as it came', (name, value, algorithm) => {
    const claims = claimsOf(described({ checksums: { [name]: value } }))
    expect(claims).toEqual([{ algorithm: `${algorithm}/invalid`, value }, isMd5])
  })
})

describe('a digest in the metadata', () => {
  const rules = {
    metadataDigests: [
      { name: 'md5chksum', algorithm: 'md5' },
      { name: 'content-checksum', algorithm: 'md5' },
    ],
  } as const

  test('counts only where the rules name it', () => {
    const object = described({ etag: `${md5}-2`, metadata: { md5chksum: asBase64(md5) } })
    expect(claimsOf(object, undefined, rules)).toContainEqual(isMd5)
    expect(claimsOf(object)).not.toContainEqual(isMd5)
    expect([needsPartSizes(object, rules), needsPartSizes(object)]).toEqual([false, true])
  })

  test('is hex or base64; anything else is kept as it came', () => {
    const of = (text: string) =>
      claimsOf(described({ etag: 'opaque', metadata: { 'content-checksum': text } }), undefined, rules)
    expect(of(md5.toUpperCase())).toEqual([isMd5])
    expect(of('n/a')).toEqual([{ algorithm: 'md5/invalid', value: 'n/a' }])
  })

  test("that contradicts the storage's own is kept, and compared with nothing", () => {
    const other = 'f'.repeat(32)
    expect(claimsOf(described({ metadata: { md5chksum: other } }), undefined, rules)).toEqual([
      isMd5,
      { algorithm: 'md5/metadata', value: other },
    ])
    expect(claimsOf(described({ metadata: { md5chksum: md5 } }), undefined, rules)).toEqual([isMd5])
  })
})

test.each([
  [`${md5}-12`, {}, 12],
  ['opaque', { sha256: 'x==-3' }, 3],
  [md5, {}, undefined],
])('the number of parts of %s with %j is %s', (etag, checksums, count) => {
  expect(partsCount(described({ etag, checksums }))).toBe(count)
})
