import type { StorageRoot } from '@fonds/ocfl/root'
import type { ObjectStoreFailure } from '../../../src/ports/object-store.ts'

/** A call of `StorageRoot`, except its signal. */
export interface Call {
  readonly name: keyof StorageRoot
  readonly args: readonly unknown[]
}

export type Outcome =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly failure: ObjectStoreFailure }
  /** A bug of ours. */
  | { readonly kind: 'broken'; readonly error: Error }
  | { readonly kind: 'aborted' }
