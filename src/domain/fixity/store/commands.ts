import type { Command } from '../../kernel/decider.ts'
import type { Queue } from '../events.ts'
import type { Policy } from './events.ts'
import type { StoreRegistration } from './state.ts'

/** Every command is aimed at one store, by name. */
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
  /** What is not named stays as it is. */
  readonly policy: Partial<Policy>
  readonly reason: string
}

/** An empty prefix means the whole store. */
interface RequestStoreCheck extends StoreCommandBase {
  readonly type: 'RequestStoreCheck'
  readonly prefix: string
  readonly queue: Queue
  readonly reason: string
}

/** An empty prefix means the whole store. */
interface RequestRevival extends StoreCommandBase {
  readonly type: 'RequestRevival'
  readonly prefix: string
  readonly reason: string
}

/** Whether the workers of a machine find content of a store, as they were looking for it. */
export interface Sight extends StoreCommandBase {
  readonly type: 'Sight'
  readonly place: string
  readonly isThere: boolean
  /** What was found instead. */
  readonly why: string
}

/** From a person: the content is gone, and need not be waited for. */
export interface DeclareGone extends StoreCommandBase {
  readonly type: 'DeclareGone'
  readonly reason: string
}

/** From the ticker. Without effect unless the store was away for as long as its policy waits. */
export interface NoteGone extends StoreCommandBase {
  readonly type: 'NoteGone'
}

export type StoreCommand =
  | RegisterStore
  | ChangePolicy
  | RequestStoreCheck
  | RequestRevival
  | Sight
  | DeclareGone
  | NoteGone
