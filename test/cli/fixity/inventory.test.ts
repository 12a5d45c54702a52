import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { System } from '#src/app/system.ts'
import { summaryLines } from '#src/cli/fixity/add-summary.ts'
import { checkSentences } from '#src/cli/fixity/check-sentences.ts'
import { testSystem } from '../../app/archive.ts'
import { makeInventory, rowOf, seedInventory } from '../../fakes/s3-inventory.ts'
import { seedObject, startS3 } from '../../fakes/s3-server.ts'
import { useFonds } from '../fonds.ts'
import { add, check, itemAt, reach, root } from './bucket-store.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const later = () => new Date(Date.now() + 3_600_000).toISOString()

const serverHere = async () => {
  const server = await startS3({ buckets: ['archive', 'logs'] })
  onTestFinished(() => server.close())
  reach(server)
  return { server, bucket: server.bucket('archive') }
}

/** Opens an inventory of what the bucket has now, and of `more` keys. */
const inventoryOf = async (
  system: System,
  { server, bucket }: Awaited<ReturnType<typeof serverHere>>,
  { createdAt = later(), without = [] as readonly string[], more = [] as readonly string[] } = {},
) => {
  const rows = bucket.keys
    .filter((key) => !without.includes(key))
    .map((key) => bucket.current(key)!)
    .map(({ key, bytes, etag, modifiedAt }) =>
      rowOf(key, bytes.byteLength, { etag, time: modifiedAt.toISOString() }),
    )
  const made = makeInventory([[...more.map((key) => rowOf(key)), ...rows.reverse()]], { createdAt })
  seedInventory(server.bucket('logs'), made)
  const opened = await system.adapters.fixity.openInventory(
    { root, manifest: `s3://logs/${made.manifest}` },
    { signal: new AbortController().signal },
  )()
  if (isLeft(opened)) throw new Error(opened.left)
  onTestFinished(() => opened.right.close())
  server.forgetCounts()
  return opened.right
}

const remove = (bucket: Awaited<ReturnType<typeof serverHere>>['bucket'], key: string) =>
  bucket.remove(key, bucket.current(key)!.versionId)

describe('a bucket that an inventory lists', () => {
  it('is recorded without a listing, with its manifests, and with what these name and the inventory lacks', async () => {
    const here = await serverHere()
    const { server, bucket } = here
    const system = await testSystem()
    for (let i = 0; i < 30; i++) seedObject(bucket, `main/b/${i}`, `bytes of ${i}`)
    seedObject(bucket, 'main/a/letter', 'aaaa')
    seedObject(bucket, 'main/a/new', 'new')
    seedObject(bucket, 'main/a/sub/deep', 'deep')
    const lines = ['aaaa  letter', 'new  new', 'deep  sub/deep', 'gone  gone'].map((line) => {
      const [text = '', name] = line.split('  ')
      return `${md5(text)}  ${name}\n`
    })
    seedObject(bucket, 'main/a/MD5SUMS', lines.join(''))
    const inventory = await inventoryOf(system, here, { without: ['main/a/new'] })
    const summary = await add(system, { inventory })
    expect(summary).toMatchObject({
      inventory: { objects: 33 },
      recorded: 3,
      baseline: 31,
      missing: 1,
      absent: 0,
      vanished: 0,
      notThere: [{ path: 'a/gone' }],
    })
    expect(server.count('ListObjects')).toBe(0)
    expect(itemAt(system, 'b/7')).toMatchObject({ size: 10 })
    // The bytes may have changed since the inventory: their manifest says no size.
    expect(itemAt(system, 'a/letter')).toMatchObject({ size: null })
    expect(summaryLines(summary)).toContain(
      `  listed by the inventory of ${inventory.createdAt} (33 objects): later ones are not in it`,
    )
    expect(await check(system)).toMatchObject({ verified: 3, baselined: 31, failed: 1, new: 0 })
    expect(await add(system, { inventory })).toMatchObject({ recorded: 0, baseline: 0, known: 35 })
  })

  it('is not recorded as it was: what is gone since the inventory is told, and expected of nobody', async () => {
    const here = await serverHere()
    const system = await testSystem()
    seedObject(here.bucket, 'main/here', 'here')
    const inventory = await inventoryOf(system, here, { more: ['main/gone'] })
    const summary = await add(system, { inventory })
    expect(summary).toMatchObject({ baseline: 1, vanished: 1, unreadable: 0, missing: 0, absent: 0 })
    expect(summary.notes).toEqual([{ path: 'gone', note: 'is in the inventory, and gone since' }])
    expect(summaryLines(summary)).toContain('  1 in the inventory, and gone since: not recorded')
    expect(itemAt(system, 'gone')).toBeUndefined()
  })

  it('misses what a HEAD does not find, and neither what the inventory lacks nor what was recorded after it', async () => {
    const here = await serverHere()
    const { bucket, server } = here
    const system = await testSystem()
    for (const name of ['here', 'lacks', 'gone']) seedObject(bucket, `main/${name}`, name)
    await add(system)
    const after = await inventoryOf(system, here, { without: ['main/lacks', 'main/gone'], more: ['main/no'] })
    const before = await inventoryOf(system, here, {
      without: ['main/lacks', 'main/gone'],
      createdAt: '2020-01-01T00:00:00.000Z',
    })
    remove(bucket, 'main/gone')
    seedObject(bucket, 'main/fresh', 'fresh')
    const withFresh = await inventoryOf(system, here, { without: ['main/lacks'], more: ['main/no'] })

    const missing = { path: 'gone', note: 'is recorded, and not there' }
    expect(await add(system, { inventory: after })).toMatchObject({
      absent: 1,
      notes: [{ path: 'no' }, missing],
    })
    expect(await add(system, { inventory: before })).toMatchObject({ absent: 0, notes: [] })

    const scope = { store: 'archive-main' }
    server.forgetCounts()
    const checked = await check(system, { ...scope, inventory: withFresh })
    expect(server.count('ListObjects')).toBe(0)
    expect(checked).toMatchObject({
      inventory: { createdAt: withFresh.createdAt, objects: 3 },
      new: 1,
      missing: 1,
      notes: [
        { path: 'gone', note: 'is not there' },
        { path: 'fresh', note: 'is new' },
      ],
    })
    expect(checkSentences(checked).join('\n')).toMatch(/New and missing items: listed by the inventory of/)
    seedObject(bucket, 'main/later/one', 'one')
    await add(system)
    expect(await check(system, { ...scope, prefix: 'later/', inventory: after })).toMatchObject({
      total: 1,
      new: 0,
      missing: 0,
      unlisted: 0,
      notes: [],
    })
    expect(await check(system, { ...scope, inventory: before })).toMatchObject({ new: 0, missing: 0 })
    expect((await check(system, scope)).inventory).toBeUndefined()
  })
})

describe('the flag --inventory', () => {
  const fonds = useFonds()

  it('reads a manifest, and refuses what it cannot list by it', async () => {
    const { server, bucket } = await serverHere()
    seedObject(bucket, 'main/here', 'here')
    const made = makeInventory([[rowOf('main/here', 4)]])
    seedInventory(server.bucket('logs'), made)
    const address = `s3://logs/${made.manifest}`
    const flag = ['--inventory', address]
    const added = await fonds.run(['fixity', 'add', root, ...flag])
    expect(added.err).toBe('')
    expect(added.rows[0]).toMatchObject({ baseline: 1, inventory: { createdAt: '2026-05-01T00:00:00.000Z' } })
    const checked = await fonds.run(['fixity', 'check', 'archive-main', ...flag])
    expect(checked.rows[0]).toMatchObject({ baselined: 1, new: 0, missing: 0, inventory: { objects: 1 } })

    const refusals = [
      [['add', fonds.folder, ...flag], /--inventory lists what a bucket holds, and this is a folder/],
      [['add', 's3://other/main', ...flag], /is of the bucket archive, and the store is in other/],
      [['add', root, '--inventory', `${address}.gz`], /manifest\.json\.gz is not there; name the manifest/],
      [['check', ...flag], /--inventory is of one bucket: name the store/],
      [['check', 'nowhere', ...flag], /--inventory is of one bucket: name the store/],
      [['check', 'archive-main', '--item', 'here', ...flag], /--item checks one item: leave out one/],
    ] as const
    for (const [argv, expected] of refusals) {
      const { code, err } = await fonds.run(['fixity', ...argv])
      expect(err).toMatch(expected)
      expect(code).toBe(1)
    }
  })
})
