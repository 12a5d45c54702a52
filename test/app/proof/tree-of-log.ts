import { join } from 'node:path'
import type { Checkpoint } from '@fonds/tlog'
import { isLeft } from 'fp-ts/lib/Either.js'
import { openProofLog } from '#infra/proof/proof-log.ts'
import { entryReader, openHead, openTree } from '#src/app/proof/open-tree.ts'
import { signersOf } from '#src/app/proof/signers.ts'
import { eventEntry } from '#src/domain/kernel/proof/event-leaf.ts'
import { isLeaf, leafOf } from '#src/domain/kernel/proof/leaf-of.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { treeHash } from '../../../packages/tlog/test/naive-tree.ts'

export const proofLogIn = (folder: string) =>
  openProofLog({
    folder: join(folder, 'proof'),
    keyFolder: join(folder, 'proof-key'),
    headsFile: join(folder, 'proof-heads.db'),
  })

/** Entries that the events of a log must have, computed in the plainest way. */
export const entriesOfLog = async (eventStore: EventStore, first: readonly string[] = []) => {
  const read = await eventStore.readStored(-1n, {}, 1_000_000)()
  if (isLeft(read)) throw new Error(read.left.reason)
  const newest = new Map<string, bigint>()
  const entries = [...first]
  for (const event of read.right.events.filter(isLeaf)) {
    const index = BigInt(entries.length)
    entries.push(eventEntry(leafOf(event, newest.get(event.stream))))
    newest.set(event.stream, index)
  }
  return entries
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

export const rootOf = (entries: readonly string[]): string =>
  hex(treeHash(entries.map((entry) => Buffer.from(entry))))

/** What an outsider finds in a folder: the head by its keys, all tiles of it and all entries. Undefined without a head. */
export const treeIn = async (folder: string) => {
  const files = proofLogIn(folder)
  const head = await files.head()
  if (!head) return undefined
  const keys = await files.keys()
  const [origin = ''] = head.text.split('\n', 1)
  const verifiers = signersOf(origin, keys!, () => 0).map(({ verifier }) => verifier)
  const checkpoint: Checkpoint = openHead(head.text, verifiers)
  const { size } = checkpoint
  await openTree(files, checkpoint)
  const entry = entryReader(files, size)
  const entries: string[] = []
  for (let index = 0n; index < size; index++) entries.push(Buffer.from(await entry(index)).toString())
  const root = hex(checkpoint.root)
  return { origin, size, root, entries, isOfEntries: rootOf(entries) === root }
}
