/* Restoration of archived objects in a bucket: their bytes can be read some hours after it was asked for. */

/** How soon, and at what price: `Expedited` is the quickest, `Bulk` the cheapest. */
export type RestoreTier = 'Standard' | 'Bulk' | 'Expedited'

/** An object of an archive class. */
export interface ArchivedObject {
  /** Below the prefix of the address. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** `GLACIER`, `DEEP_ARCHIVE`; `ARCHIVE_ACCESS`, `DEEP_ARCHIVE_ACCESS` of INTELLIGENT_TIERING. */
  readonly storageClass: string
  /** `restored`: its bytes can be read now. `under-way`: a restoration was asked for earlier. */
  readonly state: 'archived' | 'under-way' | 'restored'
}

export type RestoreAnswer =
  /** By the server: it accepted the request; the bytes can be read already; an earlier restoration goes on. */
  | { readonly kind: 'begun' | 'restored' | 'under-way' }
  /** `why`: a sentence for a person, with what to do. `isForAll`: other objects would be refused for the same reason. */
  | { readonly kind: 'refused'; readonly why: string; readonly isForAll: boolean }

export interface BucketRestorer {
  /** Pages of the paths that begin with `prefix` and may be archived. Throws `UnavailableError`. */
  candidates(prefix: string, signal: AbortSignal): AsyncIterable<readonly string[]>
  /** Undefined if the object is in no archive, or is missing. Throws `UnavailableError`. */
  describe(path: string, signal: AbortSignal): Promise<ArchivedObject | undefined>
  /** `days`: how long the restored copy is kept. INTELLIGENT_TIERING takes none: the object leaves the archive. */
  restore(
    object: ArchivedObject,
    options: { readonly days: number; readonly tier: RestoreTier; readonly signal: AbortSignal },
  ): Promise<RestoreAnswer>
  /** Ends its connections. */
  close(): Promise<void>
}

/** Opens `s3://bucket/prefix`: nothing is asked of the server yet. */
export type OpenRestorer = (address: string) => Promise<BucketRestorer>
