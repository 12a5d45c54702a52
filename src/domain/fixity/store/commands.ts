import type { Command } from '../../kernel/decider.ts'
import type { Queue } from '../events.ts'
import type { MoveProofs, Policy, PolicyChange, RestoreTier } from './events.ts'
import type { StoreRegistration } from './state.ts'

/** Every command targets one store, by name. */
interface StoreCommandBase extends Command {
  readonly store: string
}

export interface RegisterStore extends StoreCommandBase {
  readonly type: 'RegisterStore'
  readonly kind: StoreRegistration['kind']
  /** Absolute path; a folder store needs one, an external store has none. */
  readonly root?: string | undefined
  readonly policy: Policy
}

interface ChangePolicy extends StoreCommandBase {
  readonly type: 'ChangePolicy'
  readonly policy: PolicyChange
  readonly reason: string
}

/** An empty prefix selects the whole store. */
interface RequestStoreCheck extends StoreCommandBase {
  readonly type: 'RequestStoreCheck'
  readonly prefix: string
  readonly queue: Queue
  readonly reason: string
}

/** An empty prefix selects the whole store. */
interface RequestRevival extends StoreCommandBase {
  readonly type: 'RequestRevival'
  readonly prefix: string
  readonly reason: string
}

/** Reports whether the workers of a machine found content of a store when they looked for it. */
export interface Sight extends StoreCommandBase {
  readonly type: 'Sight'
  readonly place: string
  readonly isThere: boolean
  /** Reason: what was found instead of the content. */
  readonly why: string
}

/** From a person: the content is lost and need not be waited for. */
export interface DeclareGone extends StoreCommandBase {
  readonly type: 'DeclareGone'
  readonly reason: string
}

/** From the ticker. No effect unless the store was unavailable for as long as its policy waits. */
export interface NoteGone extends StoreCommandBase {
  readonly type: 'NoteGone'
}

/** From `fonds fixity move-store`, which has compared the content at both roots. */
export interface MoveStore extends StoreCommandBase {
  readonly type: 'MoveStore'
  readonly from: string
  readonly root: string
  readonly proof: MoveProofs
  readonly reason: string
}

/** From `fonds fixity restore`, which has counted the archived objects in scope, and then asks the bucket. */
export interface RestoreArchived extends StoreCommandBase {
  readonly type: 'RestoreArchived'
  readonly root: string
  /** An empty prefix selects the whole store. */
  readonly prefix: string
  /** Only this item. */
  readonly path?: string | undefined
  readonly days: number
  readonly tier: RestoreTier
  readonly objects: number
  readonly bytes: number
  readonly reason: string
}

/** The bucket was asked for what `RestoreArchived` recorded. */
export interface NoteRestoreAnswer extends StoreCommandBase {
  readonly type: 'NoteRestoreAnswer'
  readonly root: string
  readonly prefix: string
  readonly path?: string | undefined
  readonly accepted: number
  readonly refused: number
  readonly why?: string | undefined
}

export type StoreCommand =
  | RegisterStore
  | ChangePolicy
  | RequestStoreCheck
  | RequestRevival
  | Sight
  | DeclareGone
  | NoteGone
  | MoveStore
  | RestoreArchived
  | NoteRestoreAnswer
