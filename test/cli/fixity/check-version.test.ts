import { beforeEach, describe, expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { checkVersion } from '#src/cli/fixity/check-version.ts'
import { testSystem } from '../../app/archive.ts'
import { type Bucket, type S3Server, seedObject } from '../../fakes/s3-server.ts'
import { add, bucketHere, check, itemAt, seedWithWord } from './bucket-store.ts'

/* A version of an item that is not the current one is read by command: evidence about that version alone. */

const { signal } = new AbortController()

describe('a version of an item', () => {
  let server: S3Server
  let bucket: Bucket
  let system: System
  let first: string
  beforeEach(async () => {
    ;({ server, bucket } = await bucketHere())
    bucket.isVersioned = true
    system = await testSystem()
    first = seedWithWord(bucket, 'main/x', 'one').versionId
    await add(system)
    await check(system)
  })
  const versionOf = (versionId: string, path = 'x', store = 'archive-main') =>
    checkVersion(system, { store, path, versionId }, { actor: 'ada', signal, onBytes: () => {} })
  const withoutRevision = () => ({ ...itemAt(system, 'x'), revision: undefined })

  it('that is noncurrent is compared with what the storage reports and with what was read of it before', async () => {
    seedWithWord(bucket, 'main/x', 'twotwo')
    await check(system, {}, false)
    const before = withoutRevision()
    expect(before).toMatchObject({ state: 'failed' })
    const found = await versionOf(first)
    expect(found).toMatchObject({ versionId: first, outcome: 'agrees', size: 3, records: 1 })
    expect(found.because).toMatch(/^Its bytes equal what the storage reports, the record of the check of /)
    expect(withoutRevision()).toEqual(before)
  })

  it('good or bad changes nothing of the verdict of the current one', async () => {
    const before = withoutRevision()
    expect(before).toMatchObject({ state: 'baselined' })
    const bad = seedWithWord(bucket, 'main/x', 'bad', 'other').versionId
    const again = seedWithWord(bucket, 'main/x', 'one').versionId
    expect(await versionOf(bad)).toMatchObject({
      outcome: 'differs',
      because: 'Its bytes differ from what the storage reports.',
      records: 0,
    })
    await check(system)
    expect(itemAt(system, 'x')).toMatchObject({ state: 'baselined', outcome: 'success', open: 0 })
    expect(await versionOf(again)).toMatchObject({ outcome: 'agrees', records: 1 })
  })

  it('whose bytes changed since they were read differs from that reading, whatever the storage reports', async () => {
    const [stored] = bucket.versions('main/x')
    bucket.replace(stored!, { bytes: Buffer.from('eno') })
    const found = await versionOf(first)
    expect(found.outcome).toBe('differs')
    expect(found.because).toContain('what the storage reports, the record of the check of')
  })

  it('that is archived is not read, and is called unread', async () => {
    const [stored] = bucket.versions('main/x')
    bucket.replace(stored!, { storageClass: 'GLACIER' })
    const got: string[] = []
    server.beforeEach(({ kind, key }) => void (kind === 'GetObject' && got.push(key)))
    expect(await versionOf(first)).toMatchObject({ outcome: 'unread' })
    expect(got).toEqual([])
  })

  it('is asked for by its name, of a recorded item of a bucket', async () => {
    const { versionId: marker } = bucket.add({ ...seedObject(bucket, 'main/x', ''), isDeleteMarker: true })
    await expect(versionOf('none')).rejects.toThrow('there is no version none of x')
    await expect(versionOf(marker)).rejects.toThrow('cannot be read')
    await expect(versionOf(first, 'y')).rejects.toThrow('y is not recorded')
    await expect(versionOf(first, 'x', 'other')).rejects.toThrow('there is no store other')
    expect(await versionOf(first)).toMatchObject({ outcome: 'agrees' })
  })
})
