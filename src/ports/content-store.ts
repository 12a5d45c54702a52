import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** One digest of some bytes, normalised: lower-case hex. */
interface ClaimedChecksum {
  readonly algorithm: string
  readonly value: string
}

export interface ContentEntry {
  /** Relative to the store's root, with `/`; never absolute, no `.` or `..` segment. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Changes whenever the bytes may have changed (for a file: inode, size, modification and change time). */
  readonly version: string
  readonly modifiedAt: string
  /** The storage's own name of this version, by which it can be asked for later. */
  readonly versionId?: string
  /** A class whose bytes the storage gives only once somebody has them restored; absent if they can be read. */
  readonly archived?: string
  /** In listings alone: its class is an archive, and a listing does not tell whether it is restored. */
  readonly mayBeArchived?: true
  /** True if a symbolic link leads to it; absent if that was not checked, or the storage has no links. */
  readonly isLink?: boolean
  /** Checksums that the storage itself reports, if it makes any. */
  readonly claims: readonly ClaimedChecksum[]
}

/** Something in the tree that is not content: reported, never silently skipped. */
export interface SkippedEntry {
  /** The name with everything unprintable escaped. */
  readonly path: string
  readonly reason: string
  /** It may be content, or hold some: a folder that could not be listed, a file that could not be inspected or named. */
  readonly mayBeContent?: true
}

export type ContentFailure =
  | {
      readonly kind: 'NotFound'
      readonly path: string
      /** The storage has a marker of its deletion, and may keep earlier versions. */
      readonly isMarked?: true
    }
  | { readonly kind: 'Refused'; readonly path: string; readonly reason: string }
  | { readonly kind: 'Changed'; readonly path: string }
  | { readonly kind: 'Unreadable'; readonly path: string; readonly reason: string }
  /** The machine cannot read anything now: the state of the content is unknown. */
  | { readonly kind: 'Machine'; readonly path: string; readonly reason: string }

export type Listed =
  | { readonly kind: 'entry'; readonly entry: ContentEntry }
  | { readonly kind: 'skipped'; readonly skipped: SkippedEntry }

/** Something directly in a folder; of a subfolder its path, without a slash at the end. */
export type InFolder = Listed | { readonly kind: 'folder'; readonly path: string }

/** The path of a file, or of something that may be content and cannot be inspected or named. */
export type ListedName =
  | { readonly kind: 'name'; readonly path: string }
  | { readonly kind: 'skipped'; readonly skipped: SkippedEntry }

export interface ContentStore {
  /**
   * Lists every file below `prefix` (a folder; absent: everything), in the storage's own order: a folder at a time, or
   * by key. Memory does not grow with the number of files.
   */
  list(prefix?: string): AsyncIterable<Listed>
  /**
   * Lists what one folder itself holds (absent: the root): its files and what is skipped, in byte order of their names,
   * then its subfolders in that order. A folder that is not there is skipped under its own path; storage without
   * folders has none that is empty. Memory holds the names of its subfolders.
   */
  folder(path?: string): AsyncIterable<InFolder>
  /**
   * Lists only the paths of what `list` finds, in byte order of their UTF-8, without inspecting each file: for a
   * comparison with recorded paths.
   */
  names(folder?: string): AsyncIterable<ListedName>
  stat(path: string): TaskEither<ContentFailure, ContentEntry>
  /**
   * Reads the bytes, in chunks that are valid until the next one is asked for. Fails with `Changed` if the content is
   * no longer at `version`, on opening or at the end of the stream. `onEntry` gets the `stat` of the whole content
   * before the first chunk, which waits for it.
   *
   * `from` (inclusive) and `to` (exclusive) are offsets in bytes, and pick what `subarray(from, to)` of the content
   * has: a `to` past the end reads up to the end, a `from` at the end or past it reads nothing. `bytes` counts what
   * was read. Throws a `RangeError` for offsets that are no whole numbers from 0 on.
   */
  read(
    path: string,
    options: {
      readonly version?: string
      readonly from?: number
      readonly to?: number
      readonly signal?: AbortSignal
      readonly onEntry?: (entry: ContentEntry) => void | Promise<void>
    },
    onChunk: (chunk: Uint8Array) => void | Promise<void>,
  ): TaskEither<ContentFailure, { readonly bytes: number; readonly version: string }>
  /**
   * Reads a file of at most `maxBytes` in one call, as `read` does, for a thread that may block. The bytes are valid
   * until the next call. Undefined if it is larger, or cannot be read: `read` says why.
   */
  readAtOnce?(
    path: string,
    maxBytes: number,
  ): { readonly entry: ContentEntry; readonly bytes: Uint8Array } | undefined
  /** Readings that a thread best has under way at once, where each waits on a network. Default: 1. */
  readonly readsAtOnce?: number
  /** Writes a file beside and renames it, so that a reader sees the old bytes or the new ones. */
  write(path: string, bytes: AsyncIterable<Uint8Array>): TaskEither<ContentFailure, ContentEntry>
  delete(path: string): TaskEither<ContentFailure, void>
}
