import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ensureTopics } from '#src/app/topics.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { askCommand } from '#src/cli/ask-command.ts'
import { checkSentences } from '#src/cli/fixity/check-sentences.ts'
import { estimateCheck, estimateLines } from '#src/cli/fixity/estimate.ts'
import type { CommandFailed } from '#src/cli/output/exit-codes.ts'
import { contentTopic, indexTopic } from '#src/domain/fixity/messages.ts'
import { storeStream } from '#src/domain/fixity/store/events.ts'
import { bitLog, stores } from '#src/domain/fixity/views.ts'
import { is, rows, rowsIfFolded } from '#src/domain/kernel/read-views.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { testSystem } from '../../app/archive.ts'
import { failing, seedObject, seedParts, slowDown } from '../../fakes/s3-server.ts'
import { add, bucketHere, check, itemAt, root, seedWithWord } from './bucket-store.ts'

const texts = { A: 'aaaa', B: 'bbbb', C: 'cccc' } as const
const hex = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')
const recorded = (letter: keyof typeof texts) => ({
  size: 4,
  checksums: ['md5', 'sha256'].map((algorithm) => ({ algorithm, value: hex(algorithm, texts[letter]) })),
})

/** Content, storage, index and audit log, as the seed's table has them; `n`: archived, and so not read. */
const table: readonly (readonly [row: string, pattern: string, outcome: string])[] = [
  ['F1', 'AAAA', 'success'],
  ['F1', 'nAAA', 'success'],
  ['F2', 'ABBB', 'failure'],
  ['F3', 'ABAA', 'failure'],
  ['F4', 'nABB', 'failure'],
  ['F5', 'AABA', 'failure'],
  ['F5', 'AA-A', 'failure'],
  ['F6', 'AAAB', 'failure'],
  ['F6', 'nAAB', 'failure'],
  ['F7', 'AAA-', 'failure'],
  ['F7', 'nAA-', 'failure'],
  ['F8', '--AA', 'failure'],
  ['F9', 'AA--', 'failure'],
  ['F10', 'AABB', 'failure'],
  ['F10', 'AABC', 'failure'],
  ['F11', '----', 'nothing'],
]

describe('the table of the seed, with all four witnesses on a bucket', () => {
  it.each(table)('%s: %s ends as %s', async (row, pattern, outcome) => {
    const { bucket } = await bucketHere()
    const system = await testSystem()
    const [content, storage, index, audit] = [...pattern] as (keyof typeof texts | 'n' | '-')[]
    const textOf = (letter: string | undefined) => texts[letter as keyof typeof texts]
    if (storage !== '-')
      seedWithWord(bucket, 'main/x', textOf(content === 'n' ? storage : content), textOf(storage), {
        storageClass: content === 'n' ? 'GLACIER' : 'STANDARD',
      })
    // Another item, by which the store is found.
    seedObject(bucket, 'main/here', 'here')
    await ensureTopics(system)
    const by = { actor: 'ada', reason: 'test' }
    await askCommand(
      system,
      'fixity.register-store',
      { store: 'main', kind: 'folder', root, lagSeconds: 0 },
      by,
    )
    const say = (type: string, topic: typeof contentTopic | typeof indexTopic, data: object) =>
      reportOnTopic(system, topic as never, 'https://repository.example', [
        { type, data: { store: 'main', path: 'x', ...data } },
      ])
    await say('content.recorded', contentTopic, { path: 'here', checksums: [] })
    if (audit !== '-') await say('content.recorded', contentTopic, recorded(audit as 'A'))
    await say('index.recorded', indexTopic, recorded(index === '-' ? 'A' : (index as 'A')))
    if (index === '-') await say('index.removed', indexTopic, {})
    await check(system, { store: 'main', item: 'x' })
    expect(itemAt(system, 'x')).toMatchObject({ row, ...(outcome !== 'nothing' && { outcome }) })
    const log = rows(system.viewStore, bitLog, { where: [is('path', 'x')] })
    expect(log.map((one) => [one.result, one.pattern])).toEqual(
      outcome === 'nothing' ? [] : [[outcome.toUpperCase(), pattern]],
    )
  })
})

describe('a bucket as a store', () => {
  it('is recorded by first readings and manifests, and checked with what it claims', async () => {
    const { bucket, server } = await bucketHere()
    for (let i = 0; i < 30; i++) seedObject(bucket, `main/b/${i}`, `bytes of ${i}`)
    seedObject(bucket, 'main/a/letter', 'aaaa')
    seedObject(bucket, 'main/a/MD5SUMS', `${hex('md5', 'aaaa')}  letter\n${hex('md5', 'gone')}  gone\n`)
    seedObject(bucket, 'main/b/', '')
    seedObject(bucket, 'elsewhere', 'x')
    const system = await testSystem()
    expect(await add(system)).toMatchObject({
      store: 'archive-main',
      root,
      recorded: 1,
      baseline: 31,
      missing: 1,
      unlisted: 0,
    })
    expect(itemAt(system, 'b/7')?.checksums).toMatchObject([
      { algorithm: 'sha-256', value: hex('sha256', 'bytes of 7') },
      { algorithm: 'crc64nvme', basis: 'first-reading' },
    ])
    server.forgetCounts()
    expect(estimateCheck(system, {})).toEqual([
      {
        store: 'archive-main',
        root,
        items: 33,
        bytes: expect.any(Number),
        unknownSize: 1,
        requests: { get: 33, list: 1, head: 1 },
      },
    ])
    const inventory = 's3://logs/manifest.json'
    expect(estimateCheck(system, {}, inventory)).toMatchObject([{ requests: { get: 34, list: 0 } }])
    expect(estimateCheck(system, {}, '/a/manifest.json')).toMatchObject([{ requests: { get: 33, list: 0 } }])
    expect(estimateLines(estimateCheck(system, { prefix: 'b/' }))).toEqual([
      `archive-main (${root}): 30 items, 320 B; at least 30 GET, 1 LIST, 1 HEAD`,
    ])
    expect(server.counts.size).toBe(0)
    const summary = await check(system)
    expect(summary).toMatchObject({
      total: 33,
      verified: 1,
      baselined: 31,
      failed: 1,
      new: 0,
      missing: 1,
      away: [],
    })
    expect(itemAt(system, 'b/7')).toMatchObject({ row: 'F1' })
    expect(itemAt(system, 'a/gone')).toMatchObject({ row: 'F8', outcome: 'failure' })
    expect(summary.buckets?.requests).toEqual({
      get: server.count('GetObject'),
      head: server.count('HeadObject'),
      list: server.count('ListObjects'),
      put: 0,
      delete: 0,
    })
    expect(checkSentences(summary).at(-1)).toMatch(/^Asked of buckets: \d+ GET, 1 LIST, \d+ HEAD, /)
    // One request an object that is there.
    expect(server.count('GetObject')).toBeLessThan(50)
    expect(server.count('HeadObject')).toBeLessThan(20)
  })

  it('marks of folders, also of the root itself, are neither unlisted content nor the end of a listing', async () => {
    const { bucket } = await bucketHere()
    for (const mark of ['main/', 'main/b/']) seedObject(bucket, mark, '')
    for (const key of ['main/b/x', 'main/z']) seedObject(bucket, key, 'aaaa')
    const system = await testSystem()
    expect(await add(system)).toMatchObject({ baseline: 2, unlisted: 0 })
    bucket.add({ ...seedObject(bucket, 'main/z', ''), isDeleteMarker: true })
    expect(await check(system)).toMatchObject({ total: 2, unlisted: 0, missing: 1, baselined: 1, failed: 1 })
  })

  it('objects in parts are compared by their parts, and where the server tells no sizes by nothing', async () => {
    const { bucket, server } = await bucketHere()
    seedParts(bucket, 'main/parts', ['one', 'two', 'three'])
    const system = await testSystem()
    await add(system)
    await check(system)
    expect(itemAt(system, 'parts')).toMatchObject({ row: 'F1' })
    const ofParts = expect.objectContaining({ algorithm: 'sha-256/parts:3*2+5' })
    expect(itemAt(system, 'parts')?.checksums).toContainEqual(ofParts)
    server.beforeEach(({ query }) => (query.get('partNumber') ? failing(501, 'NotImplemented') : undefined))
    await check(system)
    expect(itemAt(system, 'parts')).toMatchObject({ row: 'clause 6', outcome: 'success' })
  })

  it('that lost its key service, forbids or does not answer is away, and nothing of it is missing', async () => {
    const { bucket, server } = await bucketHere()
    seedObject(bucket, 'main/x', 'aaaa')
    const system = await testSystem()
    await add(system)
    for (const fault of [failing(403, 'AccessDenied'), failing(404, 'NoSuchBucket'), slowDown]) {
      server.beforeEach(() => fault)
      const summary = await check(system, {}, false)
      expect(summary).toMatchObject({ checked: 0, missing: 0, failed: 0 })
      expect(summary.away).toMatchObject([{ store: 'archive-main', why: expect.stringContaining(root) }])
      server.beforeEach(undefined)
      expect(await check(system)).toMatchObject({ away: [], baselined: 1 })
    }
    await server.close()
    const { away } = await check(system, {}, false)
    expect(away).toMatchObject([{ store: 'archive-main' }])
    expect(itemAt(system, 'x')).toMatchObject({ outcome: 'success', open: 0, attempts: 0 })
  })

  it.each([
    ['that is missing', failing(404, 'NoSuchBucket'), 'create the bucket'],
    ['that refuses the keys', failing(403, 'InvalidAccessKeyId'), 'check the keys'],
    ['that does not answer', slowDown, 'check its health'],
  ])('%s is away for the first add, too: exit code 3, and what to do', async (_, fault, advice) => {
    const { server } = await bucketHere()
    const system = await testSystem()
    server.beforeEach(() => fault)
    const failed = await add(system).catch((error: unknown) => error)
    expect(failed).toMatchObject({
      failure: { kind: 'away', message: expect.stringContaining(`store archive-main is away: ${root}`) },
    })
    const { message, hint } = (failed as CommandFailed).failure
    expect(message).toContain(advice)
    expect(message.replace(/\/\.fondsignore/g, '')).not.toContain('fondsignore')
    expect(hint).toContain(`fonds storage policy ${root}`)
    expect(rowsIfFolded(system.viewStore, stores)).toEqual([])
  })

  it('that is away tells the reason that was found last, and since when by the first one', async () => {
    const { bucket, server } = await bucketHere()
    seedObject(bucket, 'main/x', 'aaaa')
    const system = await testSystem()
    await add(system)
    const awayBy = async (fault: ReturnType<typeof failing>) => {
      server.beforeEach(() => fault)
      return (await check(system, {}, false)).away[0]
    }
    const first = await awayBy(failing(403, 'InvalidAccessKeyId'))
    const second = await awayBy(failing(404, 'NoSuchBucket'))
    expect(first?.why).toContain('check the keys')
    expect(second?.why).toContain('create the bucket')
    expect(second?.since).toBe(first?.since)
    expect(await awayBy(failing(404, 'NoSuchBucket'))).toEqual(second)
    const told = await orThrow(system.eventStore.read(storeStream('archive-main'), 'start', 'forward', 100))
    expect(told.filter(({ type }) => type === 'StoreAway')).toHaveLength(2)
  })

  it('one object that may not be read has failed to be read, and is neither missing nor damaged', async () => {
    const { bucket, server } = await bucketHere()
    for (const key of ['main/x', 'main/y']) seedObject(bucket, key, 'aaaa')
    const system = await testSystem()
    await add(system)
    server.beforeEach(({ key }) => (key === 'main/x' ? failing(403, 'AccessDenied') : undefined))
    expect(await check(system)).toMatchObject({ checked: 1, baselined: 1, failed: 0, missing: 0, parked: 1 })
  })

  it('F8: a deleted object of a versioned bucket is missing, and its delete marker is told', async () => {
    const { bucket } = await bucketHere()
    bucket.isVersioned = true
    for (const key of ['main/x', 'main/y']) seedObject(bucket, key, 'aaaa')
    const system = await testSystem()
    await add(system)
    bucket.add({ ...seedObject(bucket, 'main/x', ''), isDeleteMarker: true })
    await check(system)
    expect(itemAt(system, 'x')).toMatchObject({ row: 'F8', outcome: 'failure' })
    expect(itemAt(system, 'x')?.because).toContain('A delete marker is in its place')
  })

  it('archived objects are recorded without reading them, and unverified without a comparable claim', async () => {
    const { bucket } = await bucketHere()
    seedObject(bucket, 'main/cold', 'aaaa', { storageClass: 'DEEP_ARCHIVE' })
    seedObject(bucket, 'main/x', 'bbbb')
    const system = await testSystem()
    const summary = await add(system)
    expect(summary).toMatchObject({ baseline: 1, unreadable: 1 })
    expect(summary.notes).toMatchObject([{ path: 'cold', note: expect.stringContaining('is archived') }])
    expect(await check(system)).toMatchObject({ baselined: 1, unverified: 1, failed: 0 })
    expect(itemAt(system, 'cold')?.because).toContain('archived (DEEP_ARCHIVE)')
  })

  it('bytes are those that are stored, whatever Content-Encoding says', async () => {
    const { bucket } = await bucketHere()
    seedObject(bucket, 'main/x.gz', 'no gzip at all', { headers: { 'content-encoding': 'gzip' } })
    const system = await testSystem()
    expect(await add(system)).toMatchObject({ baseline: 1, unreadable: 0 })
    expect(itemAt(system, 'x.gz')?.checksums).toContainEqual(
      expect.objectContaining({ value: hex('sha256', 'no gzip at all') }),
    )
  })
})
