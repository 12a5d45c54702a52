import { type Checkpoint, toBase64 } from '@fonds/tlog'
import type { System } from '../system.ts'
import { findPlace } from './find-place.ts'
import { entryReader, firstEventLeaf, openHead, openTree } from './open-tree.ts'
import { type NoTree, type OwnTree, ownTree } from './own-tree.ts'
import { whyBehind } from './why-stopped.ts'

/** The head of this home's tree, and whether the log still has its newest event. */
export type Examined =
  | NoTree
  | { readonly kind: 'behind'; readonly reason: string }
  | {
      readonly kind: 'sealed'
      readonly origin: string
      /** Events that it seals. */
      readonly size: bigint
      readonly root: string
      readonly at: string
      /** Position in the log of the last of them; -1: none. */
      readonly position: bigint
    }

/** Throws `UnavailableError`, `BrokenTree`, and errors of notes for a head that is not ours. */
export const examineHead = async (system: Pick<System, 'eventStore' | 'proofLog'>): Promise<Examined> => {
  const tree = await ownTree(system)
  return tree.kind === 'own' ? examineTree(system, tree) : tree
}

/** The same for a tree that was found. */
export const examineTree = async (
  { eventStore }: Pick<System, 'eventStore'>,
  { files, origin, head, verifiers }: OwnTree,
): Promise<Extract<Examined, { kind: 'behind' | 'sealed' }>> => {
  const checkpoint: Checkpoint = openHead(head.text, verifiers)
  const { size, root } = checkpoint
  await openTree(files, checkpoint)
  const entry = entryReader(files, size)
  const firstLeaf = await firstEventLeaf(entry, size)
  const place = await findPlace(eventStore, { entry, size, firstLeaf, hint: undefined })
  return 'missing' in place
    ? { kind: 'behind', reason: whyBehind(place.missing) }
    : {
        ...{ kind: 'sealed', origin, at: head.at },
        ...{ size: size - firstLeaf, root: toBase64(root), position: place.position },
      }
}
