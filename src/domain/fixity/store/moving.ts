import * as E from 'fp-ts/lib/Either.js'
import type { Checksum } from '../checksum.ts'
import type { ContentObservation } from '../messages.ts'
import { compare } from '../witness.ts'
import type { MoveStore } from './commands.ts'
import { type Decision, reject } from './rejections.ts'
import { rootProblem, storeRoot } from './root.ts'
import type { StoreRegistration } from './state.ts'

/** An item at the store's present root, and at the root that it is to have. Both with a SHA-256 where they were read. */
export interface AtBothRoots {
  readonly recorded: { readonly checksums: readonly Checksum[]; readonly size?: number }
  readonly before: ContentObservation
  readonly after: ContentObservation
}

/**
 * - `same`: both were read, and their bytes are the same.
 * - `byRecord`: it cannot be read at the present root, or is damaged there; at the new one its bytes are as recorded.
 * - `inNeither`: it is missing at both.
 */
export type MoveProof =
  | { readonly kind: 'same' | 'byRecord' | 'inNeither' }
  /** `why` is for a person. */
  | { readonly kind: 'none'; readonly why: string }

/** Compares an item at both roots. */
export const proofOfMove = ({ recorded, before, after }: AtBothRoots): MoveProof => {
  if (after.status === 'missing')
    return before.status === 'missing' ? { kind: 'inNeither' } : none('is not at the new root')
  if (after.status !== 'read') return none(`cannot be read at the new root: ${whyNot(after)}`)
  if (before.status === 'read' && compare(before, after) === 'equal') return { kind: 'same' }
  const atNew = compare(recorded, after)
  if (before.status !== 'read')
    return atNew === 'equal'
      ? { kind: 'byRecord' }
      : none(
          `${atNew === 'differ' ? 'is not as recorded' : unknown} at the new root, and ${notBefore(before)}`,
        )
  const isDamaged = compare(recorded, before) === 'differ'
  return isDamaged && atNew === 'equal' ? { kind: 'byRecord' } : none('has other bytes at the new root')
}

const none = (why: string): MoveProof => ({ kind: 'none', why })

const unknown = 'cannot be compared with a recorded checksum'

type NotRead = Exclude<ContentObservation, { readonly status: 'read' }>

const notBefore = (before: NotRead): string =>
  before.status === 'missing'
    ? 'is not at the present one'
    : `cannot be read at the present one: ${whyNot(before)}`

const whyNot = (seen: NotRead): string => (seen.status === 'failed' ? seen.error : `it is ${seen.status}`)

/** The store must still be where the proof began. */
export const move = (
  { store, from, proof, reason, at, ...to }: MoveStore,
  { kind, root: present }: StoreRegistration,
): Decision => {
  if (kind === 'external')
    return reject('external-store', `store ${store} is external: its reader knows where it is`)
  const root = storeRoot(to.root)
  const problem = rootProblem(root)
  if (problem) return reject('root-missing', `the new root of store ${store} ${problem}`)
  if (present === root) return E.right([])
  if (present !== from)
    return reject(
      'moved-meanwhile',
      `store ${store} is at ${present} now, and no longer at ${from}; move it from there`,
    )
  return E.right([{ type: 'StoreMoved', data: { from, root, proof, reason, at } }])
}
