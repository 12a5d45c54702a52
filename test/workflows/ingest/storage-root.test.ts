import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { storageRootAt } from '#infra/object-store/ocfl/storage-root.ts'
import type { System } from '#src/app/system.ts'
import { storageStream } from '#src/domain/ingest/ids.ts'
import { adoptStorageCommand } from '#src/workflows/ingest/adopt-storage.ts'
import { ingestWorld, testFolder, until } from './ingest-world.ts'

const adoptions = async ({ eventStore }: System) => {
  const read = await eventStore.read(storageStream, 'start', 'forward', 10)()
  return isLeft(read) ? [] : read.right.map(({ data }) => data as { readonly root: string })
}

describe('the storage root is the archive’s', () => {
  it('has one from the first thing stored; while another is in its place nothing is taken in, and nothing fails', async () => {
    const ingestStorage = join(testFolder(), 'storage')
    const world = await ingestWorld({ ingestStorage, idleMinSeconds: 1, idleMaxSeconds: 1 })
    expect(await adoptions(world.system)).toEqual([])
    const first = await world.submit({ payload: { url: await world.file('a.txt', 'a'), type: 'file' } })
    await world.batchIs(first, 'completed')
    const [adopted] = await adoptions(world.system)
    expect(await storageRootAt(ingestStorage).inspect()()).toMatchObject({ right: { root: adopted?.root } })
    expect(world.running.whyIdle()).toEqual([])

    // Its volume is not mounted any more: the folder is not there.
    renameSync(ingestStorage, `${ingestStorage}.away`)
    const second = await world.submit({ payload: { url: await world.file('b.txt', 'b'), type: 'file' } })
    await until('it says why it does nothing', () => world.running.whyIdle()[0])
    expect(world.running.whyIdle()[0]).toMatch(/there is no storage root at .* set FONDS_INGEST_STORAGE/)
    expect(world.batch(second)?.state).not.toBe('failed')
    renameSync(`${ingestStorage}.away`, ingestStorage)
    await world.batchIs(second, 'completed')
    expect(world.running.whyIdle()).toEqual([])
    expect(await adoptions(world.system)).toHaveLength(1)
  })

  it('a person gives the archive another one, which lacks what the log knows, only on purpose', async () => {
    const world = await ingestWorld({ idleMinSeconds: 1, idleMaxSeconds: 1 })
    await world.batchIs(
      await world.submit({ payload: { url: await world.file('a.txt', 'a'), type: 'file' } }),
      'completed',
    )
    const { adapters } = world.system
    const ingest = { ...adapters.ingest, storageRoot: storageRootAt(join(testFolder(), 'new')) }
    const other = { ...world.system, adapters: { ...adapters, ingest } }
    const by = { actor: 'ada', reason: 'a test', at: '2026-01-31T12:00:00.000Z' }
    const carryOut = (input: object) => adoptStorageCommand.carryOut!(input, other, by)
    expect(await carryOut({})).toMatchObject({
      left: {
        code: 'unconfirmed',
        message: expect.stringMatching(/is empty, and the log knows stored objects/),
      },
    })
    expect(await carryOut({ confirmed: true })).toMatchObject({ right: { root: expect.any(String) } })
  })
})
