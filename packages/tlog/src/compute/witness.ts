import type { AddCheckpoint } from '../add-checkpoint.ts'
import { type Checkpoint, isRootOfSize, parseHead } from '../checkpoint.ts'
import { InvalidNote, UntrustedNote } from '../errors.ts'
import { isSameHash } from '../hash.ts'
import {
  type Note,
  parseSignatures,
  type Signer,
  type Verified,
  type Verifier,
  verifiedSignatures,
  withSignatures,
} from '../note.ts'
import { isConsistent } from './proofs.ts'

/* The answer of a witness, by what it cosigned last, and what a log takes from it: c2sp.org/tlog-witness. */

/** Finds the keys of a log by its origin; undefined for a log that the witness does not know. */
export type KeysOf = (origin: string) => readonly Verifier[] | undefined

export type Judgement =
  /** To be cosigned. The note has the log's own signatures alone. */
  | { readonly kind: 'good'; readonly checkpoint: Checkpoint; readonly note: Note }
  | { readonly kind: 'unknown'; readonly origin: string }
  /** Not signed by the log, or wrongly. */
  | { readonly kind: 'unsigned'; readonly reason: string }
  | { readonly kind: 'malformed'; readonly reason: string }
  /** The log's last checkpoint here has another size than it believes. */
  | { readonly kind: 'other-size'; readonly size: bigint }
  /**
   * Signed by the log, but not shown to be what its tree grew to. `isFork`: two heads of one size with two roots, both
   * signed, which no honest log has.
   */
  | { readonly kind: 'unproven'; readonly reason: string; readonly isFork: boolean; readonly note: Note }

/** Judges a request. `latest`: the checkpoint that was cosigned last of that origin. */
export const judgeCheckpoint = (
  { oldSize, proof, note }: AddCheckpoint,
  keysOf: KeysOf,
  latestOf: (origin: string) => Checkpoint | undefined,
): Judgement => {
  const head = headOf(note)
  if (typeof head === 'string') return { kind: 'malformed', reason: head }
  const { origin, size, root } = head
  const keys = keysOf(origin)
  if (keys === undefined) return { kind: 'unknown', origin }
  const signatures = signaturesOf(note, keys)
  if (typeof signatures === 'string') return { kind: 'unsigned', reason: signatures }
  if (oldSize > size) return { kind: 'malformed', reason: `has an old size above its size, ${size}` }
  const latest = latestOf(origin)
  const lastSize = latest?.size ?? 0n
  if (oldSize !== lastSize) return { kind: 'other-size', size: lastSize }

  const signed = { text: note.text, signatures: signatures.map(({ signature }) => signature) }
  const unproven = (reason: string, isFork = false): Judgement => ({
    kind: 'unproven',
    reason,
    isFork,
    note: signed,
  })
  if (!isRootOfSize(head)) return unproven('has a root that is not the root of its size')
  if (oldSize === 0n)
    return proof.length > 0 ? unproven('has a proof although there is no older tree') : good(head, signed)
  if (size === oldSize && !isSameHash(root, latest!.root))
    return unproven(`has another root than the checkpoint of ${size} leaves that was cosigned before`, true)
  if (!isConsistent({ oldSize, oldRoot: latest!.root, size, root, proof }))
    return unproven(`has a proof that does not lead from ${oldSize} leaves to ${size}`)
  return good(head, signed)
}

const good = (checkpoint: Checkpoint, note: Note): Judgement => ({ kind: 'good', checkpoint, note })

const headOf = (note: Note): Checkpoint | string => {
  try {
    return parseHead(note.text)
  } catch (error) {
    if (error instanceof InvalidNote) return error.message
    throw error
  }
}

const signaturesOf = (note: Note, keys: readonly Verifier[]): readonly Verified[] | string => {
  try {
    const verified = verifiedSignatures(note, keys)
    return verified.length > 0 ? verified : 'is not signed by a key of its origin'
  } catch (error) {
    if (error instanceof UntrustedNote) return error.message
    throw error
  }
}

/** The note with the witness's own signatures. */
export const cosigned = (note: Note, witnesses: readonly Signer[]): Note =>
  withSignatures(
    note,
    witnesses.map((witness) => witness.sign(note.text)),
  )

/**
 * The note with the cosignatures that a witness answered, in the place of older ones by the same keys. Those of other
 * keys are left out. Throws `InvalidNote` for what is no lines of signatures; `UntrustedNote` where none is by a key of
 * the witness, or one is wrong.
 */
export const withAnswer = (note: Note, answer: string, witness: readonly Verifier[]): Note => {
  const found = verifiedSignatures({ text: note.text, signatures: parseSignatures(answer) }, witness)
  if (found.length === 0) throw new UntrustedNote('has no signature by a key of the witness')
  return withSignatures(
    note,
    found.map(({ signature }) => signature),
  )
}
