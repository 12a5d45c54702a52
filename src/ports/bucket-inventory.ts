import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ContentStore } from './content-store.ts'

/** The content of a bucket, listed from an inventory of it. To be closed. */
export interface BucketInventory {
  /** Lists what the inventory has. `stat`, `read`, `write` and `delete` ask the bucket itself. */
  readonly content: ContentStore
  /** When its making began, ISO 8601 UTC: it knows nothing of what happened later. */
  readonly createdAt: string
  /** Objects that it has below the store's root. */
  readonly objects: number
  close(): Promise<void>
}

export interface InventoryPlace {
  /** `s3://bucket/prefix` of the store. */
  readonly root: string
  /** Address or path of its manifest.json: `s3://bucket/path/manifest.json`, or a path of this machine. */
  readonly manifest: string
}

/**
 * Reads an inventory, as S3 Inventory writes it in CSV, and sorts it. Fails with a sentence for a person, which names
 * the file and what to do. Throws the signal's reason once it aborts.
 */
export type OpenInventory = (
  place: InventoryPlace,
  options: { readonly signal: AbortSignal; readonly onProgress?: (read: { readonly rows: number }) => void },
) => TaskEither<string, BucketInventory>
