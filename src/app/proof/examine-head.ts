import { type Checkpoint, toBase64 } from '@fonds/tlog'
import { treeMark } from '../../processors/runtime/tree-mark.ts'
import type { System } from '../system.ts'
import { findPlace } from './find-place.ts'
import { entryReader, firstEventLeaf, openHead, openTree, originIn } from './open-tree.ts'
import { verifiersOf } from './signers.ts'
import { whyBehind, whyHeadless } from './why-stopped.ts'

/** The head of this home's tree, and whether the log still has its newest event. */
export type Examined =
  | { readonly kind: 'none' }
  | { readonly kind: 'elsewhere'; readonly origin: string }
  | { readonly kind: 'headless'; readonly reason: string }
  | { readonly kind: 'keyless'; readonly keyFolder: string }
  | { readonly kind: 'behind'; readonly reason: string }
  | {
      readonly kind: 'sealed'
      readonly origin: string
      readonly size: bigint
      readonly root: string
      readonly at: string
    }

/** Throws `UnavailableError`, `BrokenTree`, and errors of notes for a head that is not ours. */
export const examineHead = async (system: Pick<System, 'eventStore' | 'proofLog'>): Promise<Examined> => {
  const { eventStore } = system
  const files = await system.proofLog()
  const head = await files.head()
  if (!head) {
    const origin = await treeMark(eventStore)
    if (origin === undefined) return { kind: 'none' }
    return (await files.keys()) === undefined
      ? { kind: 'elsewhere', origin }
      : { kind: 'headless', reason: whyHeadless({ origin, folder: files.folder }) }
  }
  const keys = await files.keys()
  if (!keys) return { kind: 'keyless', keyFolder: files.keyFolder }
  const verifiers = verifiersOf(originIn(head.text), keys)
  const checkpoint: Checkpoint = openHead(head.text, verifiers)
  const { size, root } = checkpoint
  await openTree(files, checkpoint)
  const entry = entryReader(files, size)
  const firstLeaf = await firstEventLeaf(entry, size)
  const place = await findPlace(eventStore, { entry, size, firstLeaf, hint: undefined })
  return 'missing' in place
    ? { kind: 'behind', reason: whyBehind(place.missing) }
    : {
        kind: 'sealed',
        origin: originIn(head.text),
        size: size - firstLeaf,
        root: toBase64(root),
        at: head.at,
      }
}
