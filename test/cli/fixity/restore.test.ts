import { beforeEach, describe, expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { askCommand } from '#src/cli/ask-command.ts'
import { storeStream } from '#src/domain/fixity/store/events.ts'
import { archivedQuestion } from '#src/projections/fixity/questions/archived-question.ts'
import { estimateRestore, type RestoreOptions, restoreItems } from '#src/workflows/fixity/restore-items.ts'
import { testSystem } from '../../app/archive.ts'
import { type Bucket, failing, type S3Server, seedObject } from '../../fakes/s3-server.ts'
import { add, bucketHere, check, itemAt, root } from './bucket-store.ts'

const watch = { signal: new AbortController().signal }

describe('fonds fixity restore', () => {
  let server: S3Server
  let bucket: Bucket
  let system: System
  beforeEach(async () => {
    ;({ server, bucket } = await bucketHere())
    system = await testSystem()
    seedObject(bucket, 'main/warm', 'warm')
    seedObject(bucket, 'main/cold/a', 'aaaa', { storageClass: 'GLACIER' })
    seedObject(bucket, 'main/cold/b', 'bbbbbb', { storageClass: 'DEEP_ARCHIVE' })
    await add(system)
    await check(system)
    server.forgetCounts()
  })
  const restore = (options: Partial<RestoreOptions> = {}) =>
    restoreItems(
      system,
      'archive-main',
      { days: 10, tier: 'Bulk', actor: 'ada', reason: 'a check of all', ...options },
      watch,
    )
  const requested = async () => {
    const read = await orThrow(system.eventStore.read(storeStream('archive-main'), 'start', 'forward', 100))
    return read.filter(({ type }) => type === 'RestoreRequested')
  }

  it('with --estimate tells objects and bytes, and asks for nothing', async () => {
    expect(await estimateRestore(system, 'archive-main', {}, watch)).toEqual({
      store: 'archive-main',
      root,
      objects: 2,
      bytes: 10,
      classes: { GLACIER: { objects: 1, bytes: 4 }, DEEP_ARCHIVE: { objects: 1, bytes: 6 } },
      underWay: 0,
      restored: 0,
    })
    expect(server.count('RestoreObject')).toBe(0)
    expect(await requested()).toEqual([])
  })

  it('asks for what is archived, records who wanted it and why, and the next check reads it', async () => {
    expect(itemAt(system, 'cold/a')).toMatchObject({ row: 'clause 5' })
    const sent: string[] = []
    server.beforeEach(({ kind, body }) => void (kind === 'RestoreObject' && sent.push(body.toString())))
    expect(await restore()).toMatchObject({ objects: 2, accepted: 2, refused: 0, notes: [] })
    expect(sent).toHaveLength(2)
    expect(sent[0]).toContain('<Days>10</Days>')
    const [event, ...others] = await requested()
    expect(others).toEqual([])
    expect(event).toMatchObject({
      data: { root, prefix: '', days: 10, tier: 'Bulk', objects: 2, bytes: 10, reason: 'a check of all' },
      metadata: { actor: 'ada' },
    })
    server.beforeEach(undefined)
    await check(system)
    for (const path of ['cold/a', 'cold/b']) expect(itemAt(system, path)?.row).toBe('clause 4')
  })

  describe('by the command of HTTP, page and fonds do', () => {
    const by = { actor: 'ada', reason: 'a check of all' }
    const command = (more: object = {}) =>
      askCommand(system, 'fixity.restore', { store: 'archive-main', days: 10, tier: 'Bulk', ...more }, by)
    const inStream = async () =>
      (await orThrow(system.eventStore.read(storeStream('archive-main'), 'start', 'forward', 100)))
        .filter(({ type }) => type.startsWith('Restore'))
        .map(({ type, data, metadata }) => ({ type, data, actor: metadata.actor }))

    it('records the wish before the bucket is asked, and then the answer', async () => {
      let before: unknown[] = []
      server.beforeEach(async ({ kind }) => {
        if (kind === 'RestoreObject') before = await inStream()
        return undefined
      })
      expect(await command()).toMatchObject([{ type: 'RestoreAnswered', data: { accepted: 2, refused: 0 } }])
      expect(before).toMatchObject([
        { type: 'RestoreRequested', data: { objects: 2, bytes: 10, reason: 'a check of all' }, actor: 'ada' },
      ])
      expect(await inStream()).toMatchObject([
        { type: 'RestoreRequested' },
        { type: 'RestoreAnswered', actor: 'ada' },
      ])
      await expect(command()).rejects.toThrow(
        'nothing there waits for a restoration: 0 being restored, 2 restored',
      )
      expect(server.count('RestoreObject')).toBe(2)
    })

    it('is of one item or of a prefix, of a bucket that is a store', async () => {
      await command({ path: 'cold/a' })
      expect(await inStream()).toMatchObject([
        { data: { path: 'cold/a', objects: 1 } },
        { data: { path: 'cold/a' } },
      ])
      await expect(command({ path: 'cold/a', prefix: 'cold/' })).rejects.toThrow('not both')
      await expect(command({ store: 'other' })).rejects.toThrow('there is no store other')
      await expect(command({ days: 0 })).rejects.toThrow('days')
    })

    it('is rejected where the bucket refuses, and says why', async () => {
      server.beforeEach(({ kind }) => (kind === 'RestoreObject' ? failing(403, 'AccessDenied') : undefined))
      await expect(command()).rejects.toThrow(/the bucket refused: .*s3:RestoreObject/)
      expect((await inStream()).map(({ type }) => type)).toEqual(['RestoreRequested'])
    })
  })

  it('is estimated without the bucket by the last checks', async () => {
    const ask = async (prefix?: string) => {
      const input = { store: 'archive-main', ...(prefix !== undefined && { prefix }) }
      const answer = await archivedQuestion.ask(system.viewStore, input, {} as never)
      return (answer as { readonly right: unknown }).right
    }
    expect(await ask()).toEqual({
      store: 'archive-main',
      ...{ items: 2, bytes: 10, unknownSize: 0, neverRead: 2, readSince: null },
    })
    expect(await ask('warm')).toMatchObject({ items: 0, bytes: 0 })
    await restore()
    await check(system)
    expect(await ask()).toMatchObject({ items: 0 })
    expect(server.count('ListObjects')).toBeGreaterThan(0)
  })

  it('asks for nothing twice', async () => {
    await restore()
    expect(await restore()).toMatchObject({ objects: 0, restored: 2, accepted: 0 })
    expect(server.count('RestoreObject')).toBe(2)
    expect(await requested()).toHaveLength(1)
  })

  it('asks for nothing that is being restored', async () => {
    const headers = { 'x-amz-restore': 'ongoing-request="true"' }
    seedObject(bucket, 'main/cold/a', 'aaaa', { storageClass: 'GLACIER', headers })
    expect(await restore()).toMatchObject({ objects: 1, underWay: 1, accepted: 1 })
  })

  it('is of one item, or of what is below a prefix, and of what is recorded alone', async () => {
    seedObject(bucket, 'main/cold/new', 'x', { storageClass: 'GLACIER' })
    expect(await restore({ item: 'cold/a' })).toMatchObject({ objects: 1, bytes: 4 })
    expect(await restore({ prefix: 'cold/' })).toMatchObject({ objects: 1, bytes: 6, restored: 1 })
    expect((await requested()).map(({ data }) => data)).toMatchObject([
      { path: 'cold/a', prefix: '', objects: 1 },
      { prefix: 'cold/', objects: 1 },
    ])
    expect(await restore({ item: 'warm' })).toMatchObject({ objects: 0, accepted: 0 })
    await expect(restore({ item: 'cold/new' })).rejects.toThrow('cold/new is not recorded')
    expect(server.count('RestoreObject')).toBe(2)
  })

  it('refuses what S3 has not, before it asks: the deep archive at once', async () => {
    await expect(restore({ tier: 'Expedited' })).rejects.toThrow('cold/b is in DEEP_ARCHIVE')
    expect(server.count('RestoreObject')).toBe(0)
    expect(await requested()).toEqual([])
  })

  it.each([
    [403, 'AccessDenied', 's3:RestoreObject'],
    [501, 'NotImplemented', 'this server restores nothing by S3'],
  ])('%i %s: says what to do, and asks for no further object', async (status, code, advice) => {
    for (let i = 0; i < 40; i++) seedObject(bucket, `main/many/${i}`, 'x', { storageClass: 'GLACIER' })
    await add(system)
    server.beforeEach(({ kind }) => (kind === 'RestoreObject' ? failing(status, code) : undefined))
    const summary = await restore()
    expect(summary).toMatchObject({ objects: 42, accepted: 0, refused: 42 })
    expect(summary.notes[0]?.note).toContain(advice)
    expect(server.count('RestoreObject')).toBeLessThan(42)
  })

  it('one object that is refused for itself does not keep the others from it', async () => {
    server.beforeEach(({ kind, key }) =>
      kind === 'RestoreObject' && key === 'main/cold/a' ? failing(403, 'InvalidObjectState') : undefined,
    )
    expect(await restore()).toMatchObject({ accepted: 1, refused: 1, notes: [{ path: 'cold/a' }] })
  })

  it('a bucket that does not answer is unavailable, and nothing is recorded', async () => {
    server.beforeEach(() => failing(403, 'AccessDenied'))
    await expect(restore()).rejects.toMatchObject({ name: 'UnavailableError' })
    expect(await requested()).toEqual([])
  })
})
