import {
  addCheckpointText,
  type Checkpoint,
  consistencyNodes,
  InvalidNote,
  type Note,
  parseCount,
  UntrustedNote,
} from '@fonds/tlog'
import { nodeHashes, type ReadTile, withAnswer } from '@fonds/tlog/compute'
import type { PostCheckpoint, WitnessAnswer } from '../../ports/witness.ts'
import type { Witness } from '../../workflows/system/witnesses.ts'

export type AskedOutcome =
  /** The note has the witness's signatures; of this size it knows the tree. */
  | { readonly kind: 'cosigned'; readonly note: Note; readonly size: bigint }
  /** It saw a larger tree of this origin than ours is: our log, or its tree, was put back from before. */
  | { readonly kind: 'behind'; readonly reason: string; readonly size: bigint }
  /** It says that our head does not follow from what it saw: two histories of one origin. */
  | { readonly kind: 'fork'; readonly reason: string }
  /** It does not cosign for another reason: a person has to act, here or there. */
  | { readonly kind: 'refused'; readonly reason: string }

interface AskWitness {
  readonly note: Note
  readonly head: Checkpoint
  /** Tiles of the tree, of this size at least. */
  readonly readTile: ReadTile
  readonly post: PostCheckpoint
  /** Size that the witness cosigned last; undefined where that is not known: it is asked. */
  readonly known: bigint | undefined
  readonly signal: AbortSignal
}

/**
 * Asks a witness to cosign a head, with a proof that its tree grew from the one that the witness saw last (Q18). Rejects with
 * `UnavailableError` where the witness does not answer: that is tried again later.
 */
export const askWitness = async (witness: Witness, asked: AskWitness): Promise<AskedOutcome> => {
  const { head, known = 0n } = asked
  const first = await send(witness, asked, known)
  if (first.status !== 409) return outcome(witness, asked, first)
  const size = parseCount(first.body.trimEnd())
  if (size === undefined)
    return refused(witness, `answered 409 without a size: ${JSON.stringify(first.body.slice(0, 100))}`)
  if (size > head.size)
    return {
      kind: 'behind',
      size,
      reason: `the witness ${witness.name} saw ${size} leaves of ${head.origin}, this tree has ${head.size}`,
    }
  const second = await send(witness, asked, size)
  return second.status === 409
    ? refused(witness, 'was asked by somebody else meanwhile')
    : outcome(witness, asked, second)
}

const send = async (
  { url }: Witness,
  { head, note, readTile, post, signal }: AskWitness,
  oldSize: bigint,
): Promise<WitnessAnswer> => {
  const nodes = oldSize === 0n || oldSize >= head.size ? [] : consistencyNodes(oldSize, head.size)
  const proof = await nodeHashes(nodes, head.size, readTile)
  return post(`${url.replace(/\/$/, '')}/add-checkpoint`, addCheckpointText({ oldSize, proof, note }), signal)
}

const outcome = (
  witness: Witness,
  { note, head }: AskWitness,
  { status, body }: WitnessAnswer,
): AskedOutcome => {
  if (status === 422) return { kind: 'fork', reason: `the witness ${witness.name} says: ${sentence(body)}` }
  // Some answer 403 where they do not know the log, and the text says so.
  if (status !== 200) return refused(witness, `answered ${status}: ${sentence(body)}`)
  try {
    return { kind: 'cosigned', note: withAnswer(note, body, witness.verifiers), size: head.size }
  } catch (error) {
    if (error instanceof InvalidNote || error instanceof UntrustedNote)
      return refused(witness, `answered what ${error.message}`)
    throw error
  }
}

const refused = ({ name }: Witness, why: string): AskedOutcome => ({
  kind: 'refused',
  reason: `the witness ${name} ${why}`,
})

/** Another machine's words: short, and without what a terminal would take for orders. */
const sentence = (body: string): string =>
  body
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200) || 'nothing more'
