import { left, right } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { bucketAddress, bucketPlaceIn, isBeneathBuckets } from '#src/domain/kernel/bucket-address.ts'

describe('the address of a place in a bucket', () => {
  it.each([
    ['s3://archive/storage', { bucket: 'archive', prefix: 'storage' }],
    ['s3://archive/a/b c/ü/', { bucket: 'archive', prefix: 'a/b c/ü' }],
  ])('%s is read', (address, place) => {
    expect(bucketPlaceIn(address)).toEqual(right(place))
    expect(bucketPlaceIn(bucketAddress(place))).toEqual(right(place))
  })

  it.each([
    ['s3://archive', 'names no prefix: name one, such as s3://archive/storage'],
    ['s3://archive//', 'names no prefix'],
    ['s3:///storage', 'is no address of a bucket: write s3://<bucket>/<prefix>'],
    ['s3://key:secret@archive/storage', 'is no address of a bucket'],
    ['s3://archive/a//b', 'has an empty segment'],
    ['s3://archive/a/../b', 'one of dots'],
    [`s3://archive/${'ü'.repeat(151)}`, 'is too long: a prefix has 300 bytes at most'],
  ])('%s is not', (address, reason) => {
    expect(bucketPlaceIn(address)).toEqual(left(expect.stringContaining(reason)))
  })
})

describe('what is beneath the buckets of a setting', () => {
  const prefixes = ['/srv/media', 's3://crawls/2026/', 's3://all']
  it.each(['s3://crawls/2026/a b.wav', 's3://crawls/2026/x/y..z', 's3://all/a', 's3://crawls/2026/'])(
    '%s is',
    (address) => expect(isBeneathBuckets(address, prefixes)).toBe(true),
  )

  // versitygw, for one, folds the segments.
  it.each([
    's3://crawls/2026/../2025/a',
    's3://crawls/2026/./a',
    's3://crawls/2026//a',
    's3://crawls/2026/..',
    's3://crawls/2026x/a',
    's3://all2/a',
    '/srv/media/a',
  ])('%s is not', (address) => expect(isBeneathBuckets(address, prefixes)).toBe(false))
})
