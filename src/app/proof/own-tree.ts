import { openNote, UntrustedNote, type Verifier } from '@fonds/tlog'
import type { ProofLog, RetiredKey, SignedHead } from '../../ports/proof-log.ts'
import { treeMark } from '../../processors/runtime/tree-mark.ts'
import type { System } from '../system.ts'
import type { WantedLeaf } from './find-leaf.ts'
import { originIn } from './open-tree.ts'
import { type EventProof, proveEvent } from './prove-event.ts'
import { verifiersOf } from './signers.ts'
import { whyHeadless } from './why-stopped.ts'

/** The tree of this home, with its keys. Nothing of its files has been checked. */
export interface OwnTree {
  readonly kind: 'own'
  readonly files: ProofLog
  readonly origin: string
  /** The newest signed checkpoint. */
  readonly head: SignedHead
  /** The newest that witnesses cosigned, which others believe; undefined if there is none. */
  readonly witnessed: string | undefined
  readonly verifiers: readonly Verifier[]
  /** Keys that were replaced. */
  readonly retired: readonly RetiredKey[]
}

/** Why this home has no tree that it can show. */
export type NoTree =
  | { readonly kind: 'none' }
  | { readonly kind: 'elsewhere'; readonly origin: string }
  /** The keys are here, and the head that they signed is not. */
  | { readonly kind: 'headless'; readonly reason: string }
  | { readonly kind: 'keyless'; readonly keyFolder: string }

/** Throws `UnavailableError`. */
export const ownTree = async ({
  eventStore,
  proofLog,
}: Pick<System, 'eventStore' | 'proofLog'>): Promise<OwnTree | NoTree> => {
  const files = await proofLog()
  const head = await files.head()
  const keys = await files.keys()
  if (!head) {
    const origin = await treeMark(eventStore)
    if (origin === undefined) return { kind: 'none' }
    return keys
      ? { kind: 'headless', reason: whyHeadless({ origin, folder: files.folder }) }
      : { kind: 'elsewhere', origin }
  }
  if (!keys) return { kind: 'keyless', keyFolder: files.keyFolder }
  const origin = originIn(head.text)
  const [seen, verifiers] = [await files.witnessed(), verifiersOf(origin, keys)]
  const retired = await files.retiredKeys()
  const witnessed = seen !== undefined && isSigned(seen, verifiers) ? seen : undefined
  return { kind: 'own', files, origin, head, witnessed, verifiers, retired }
}

/** One that keys signed which were replaced since is of no use: the next is cosigned within the hour. */
const isSigned = (text: string, verifiers: readonly Verifier[]): boolean => {
  try {
    openNote(text, verifiers)
    return true
  } catch (error) {
    if (error instanceof UntrustedNote) return false
    throw error
  }
}

/**
 * Proves an event by the head that witnesses cosigned, or by the newest where that does not reach it: an event of the last hour.
 * `near`: leaf that it probably is. Undefined if neither has it. Throws `BrokenTree`, `UnavailableError`, and errors of notes.
 */
export const proveOwnEvent = async (
  { files, head, witnessed, verifiers }: OwnTree,
  wanted: WantedLeaf,
  near?: bigint,
): Promise<EventProof | undefined> =>
  (witnessed === undefined ? undefined : await proveEvent(files, witnessed, verifiers, wanted, near)) ??
  (await proveEvent(files, head.text, verifiers, wanted, near))
