import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteEventStore } from '#infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '#infra/sqlite/database.ts'
import { seekLeaf } from '#src/app/proof/seek-leaf.ts'
import { isLeaf } from '#src/domain/kernel/proof/leaf-of.ts'
import { event } from '../../contracts/new-event.ts'
import { sealAll } from './sealer.ts'
import { proofLogIn } from './tree-of-log.ts'

it('finds the leaf of each position in few reads, also beside streams that the log does not show', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-seek-'))
  const store = openSqliteEventStore(openDatabase(join(folder, 'fonds.db'), { durability: 'normal' }))
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const streams = ['a-1', 'duty-1', 'a-2', 'b-1', 'a-1']
  for (let n = 0; n < 300; n++) await store.append(streams[n % streams.length]!, 'any', [event()])()
  await sealAll(folder, store)
  await store.deleteStream('b-1', 'any', 'tombstone')()
  const read = await store.readStored(-1n, {}, 1000)()
  if (isLeft(read)) throw new Error('unreadable')
  let reads = 0
  const counted: Pick<typeof store, 'read' | 'head'> = {
    head: store.head,
    read: (...asked) => {
      reads++
      return store.read(...asked)
    },
  }
  const leaves = read.right.events.filter(isLeaf).filter(({ type }) => !type.startsWith('$'))
  for (const [index, { stream, position }] of leaves.entries()) {
    reads = 0
    const found = await seekLeaf(counted, proofLogIn(folder), BigInt(leaves.length), position)
    if (stream !== 'b-1') expect([position, found]).toEqual([position, BigInt(index)])
    expect(reads).toBeLessThan(20)
  }
})
