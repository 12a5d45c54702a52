import {
  isQuorum,
  type Policy,
  parseCheckpoint,
  parseNote,
  UntrustedNote,
  type Verified,
  verifiedSignatures,
} from '@fonds/tlog'
import { cosignedAt, parseVerifierKey } from '@fonds/tlog/compute'
import { SECOND } from '../../domain/kernel/time.ts'
import type { OwnTree } from './own-tree.ts'

/** The newest head that witnesses cosigned, and which of those that are asked did. */
export interface WitnessedHead {
  /** Leaves; undefined if there is no such head yet. */
  readonly size: bigint | undefined
  /** By their names in the policy. `at`: ISO 8601 by its own clock; undefined where it did not cosign. */
  readonly witnesses: readonly { readonly name: string; readonly at: string | undefined }[]
  /** They are enough for the policy. */
  readonly isQuorum: boolean
}

/** Undefined where the policy names no witness. */
export const witnessedHead = (
  { witnessed }: Pick<OwnTree, 'witnessed'>,
  policy: Policy | undefined,
): WitnessedHead | undefined => {
  if (!policy || policy.witnesses.size === 0) return undefined
  const note = witnessed === undefined ? undefined : parseNote(witnessed)
  const witnesses = [...policy.witnesses].map(([name, { key }]) => {
    try {
      const [found] = note ? verifiedSignatures(note, [parseVerifierKey(key)]) : []
      return { name, at: found && timeOf(found) }
    } catch (error) {
      if (error instanceof UntrustedNote) return { name, at: undefined }
      throw error
    }
  })
  const seen = new Set(witnesses.flatMap(({ name, at }) => (at === undefined ? [] : [name])))
  return {
    size: note && parseCheckpoint(note.text).size,
    witnesses,
    isQuorum: note !== undefined && isQuorum(policy, seen),
  }
}

/** A witness may leave the time out: it is the first moment then. */
const timeOf = ({ verifier, signature }: Verified): string => {
  const millis = Number(cosignedAt(verifier.type, signature.bytes) ?? 0n) * SECOND
  return new Date(millis <= 8.64e15 ? millis : 0).toISOString()
}
