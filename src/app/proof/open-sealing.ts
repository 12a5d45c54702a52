import { emptyTree } from '@fonds/tlog/compute'
import { isRight } from 'fp-ts/lib/Either.js'
import { parseEventEntry } from '../../domain/kernel/proof/event-leaf.ts'
import { originEntry } from '../../domain/kernel/proof/origin-entry.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ProofKeys, ProofLog, StreamHeads } from '../../ports/proof-log.ts'
import { findPlace, type SealedLeaf } from './find-place.ts'
import { BrokenTree, entryReader, firstEventLeaf, openHead, openTree } from './open-tree.ts'
import { createSealing, headKey, type Sealing } from './sealing.ts'
import { signersOf, verifiersOf } from './signers.ts'
import type { Begun } from './which-tree.ts'

export interface SealingDependencies {
  readonly files: ProofLog
  readonly keys: ProofKeys
  /** Keys that sign beside them. */
  readonly beside?: readonly ProofKeys[]
  readonly eventStore: EventStore
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** The tree of the head, ready to grow; or the sealed event that the log does not have. Throws `UnavailableError`, `BrokenTree`. */
export const openSealing = async (
  { files, keys, beside, eventStore, now }: SealingDependencies,
  head: { readonly origin: string; readonly text: string },
): Promise<Sealing | { readonly missing: SealedLeaf }> => {
  const signers = signersOf(head.origin, keys, now, beside)
  // A head that only keys signed which were replaced is none of this tree.
  const checkpoint = openHead(head.text, verifiersOf(head.origin, keys))
  const { size } = checkpoint
  const { tree, entries } = await openTree(files, checkpoint)
  await files.tidy(size)
  const entry = entryReader(files, size)
  const firstLeaf = await firstEventLeaf(entry, size)
  const heads = files.openHeads()
  try {
    const known = heads.place()
    // An older head was put in the place of a newer one: to go on from it would be a second history of one name.
    if (known?.origin === head.origin && known.size > size)
      throw new BrokenTree(
        `the checkpoint in ${files.folder} is of ${size} leaves, and this home signed ${known.size} under the same name`,
      )
    const isOfTree = known?.origin === head.origin && known.size <= size
    const hint = isOfTree && known.size === size ? known.position : undefined
    const place = await findPlace(eventStore, { entry, size, firstLeaf, hint })
    if ('missing' in place) {
      heads.close()
      return place
    }
    if (!isOfTree) heads.clear()
    const { position } = place
    const from = isOfTree ? known.size : firstLeaf
    await readHeads(heads, entry, from, size)
    if (from < size) heads.commit({ origin: head.origin, size, position })
    return createSealing({ files, heads, signers, tree, entries, head: head.text, position })
  } catch (error) {
    heads.close()
    throw error
  }
}

/** A new tree, whose head is published at once: others can enrol it while it is empty. */
export const beginSealing = async (
  { files, keys, now }: SealingDependencies,
  { origin, instead }: Begun,
): Promise<Sealing> => {
  if (instead) await files.setAside(instead.earlier.origin.replaceAll('/', '_'))
  const heads = files.openHeads()
  try {
    heads.clear()
    const sealing = createSealing({
      ...{ files, heads, signers: signersOf(origin, keys, now), tree: emptyTree(), entries: [] },
      head: undefined,
      position: -1n,
    })
    if (instead) sealing.addEntry(originEntry(instead.earlier, instead.event))
    await sealing.publish()
    return sealing
  } catch (error) {
    heads.close()
    throw error
  }
}

/** Reads the newest leaf of each stream from the entries of the tree. */
const readHeads = async (
  heads: StreamHeads,
  entry: (index: bigint) => Promise<Uint8Array>,
  from: bigint,
  size: bigint,
): Promise<void> => {
  const newest = new Map<string, bigint>()
  for (let index = from; index < size; index++) {
    const leaf = parseEventEntry(await entry(index))
    if (isRight(leaf)) newest.set(headKey(leaf.right.stream), index)
    if (newest.size < most && index + 1n < size) continue
    heads.set(newest)
    newest.clear()
  }
}

/** Most heads that are written at once. */
const most = 1000
