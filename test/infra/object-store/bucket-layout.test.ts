import { left, right } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { bucketRootAt } from '#infra/object-store/ocfl-s3/storage-root.ts'
import { useBucketStore } from './bucket-store.ts'
import { done, versionOf } from './root-folder.ts'

const ark = 'ark:/99999/fk4abc'
const hashed = {
  extensionName: '0004-hashed-n-tuple-storage-layout',
  digestAlgorithm: 'md5',
  tupleSize: 2,
  numberOfTuples: 2,
} as const

const usePlace = async () => {
  const bucket = await useBucketStore()
  const place = bucketRootAt(bucket.address, bucket.s3)
  onTestFinished(() => place.close())
  return { ...bucket, place }
}

it('an object is where the layout that the root names puts it, and not where a new root has it', async () => {
  const { address, open, file, keys, place } = await usePlace()
  const store = await open({ layout: hashed })
  await done(store.write(versionOf(ark, 0, [file('a', '1')])))
  const inventory = (await keys()).find((key) => key.endsWith('/inventory.json') && !key.includes('/v1/'))
  expect(await place.placeOf(ark)()).toEqual(right(`${address}/${inventory?.replace('/inventory.json', '')}`))
})

it('no place is named by a layout that is not known', async () => {
  const { client, prefix, open, place } = await usePlace()
  await open()
  const layout = JSON.stringify({ extension: '0099-of-others', description: '' })
  await client.put(`${prefix}ocfl_layout.json`, Buffer.from(layout))
  expect(await place.placeOf(ark)()).toEqual(
    left({ kind: 'Unavailable', reason: expect.stringContaining('0099-of-others') }),
  )
})

it('no place is named before there is a root', async () => {
  const { place } = await usePlace()
  expect(await place.placeOf(ark)()).toMatchObject({ left: { kind: 'Unavailable' } })
})
