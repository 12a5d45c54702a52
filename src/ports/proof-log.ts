import type { KeyObject } from 'node:crypto'
import type { Bundle, Tile } from '@fonds/tlog'

export interface TreeFile {
  readonly tile: Tile | Bundle
  readonly bytes: Uint8Array
}

export interface SignedHead {
  /** The signed checkpoint. */
  readonly text: string
  /** ISO 8601 UTC: when it was written. */
  readonly at: string
}

/** Private keys of the archive's tree. They sign heads of it, and nothing else. */
export interface ProofKeys {
  readonly ed25519: KeyObject
  /** Undefined if this Node cannot use it, or could not when the keys were made. */
  readonly mlDsa44: KeyObject | undefined
}

/** A key that signed heads of the tree before another took its place. */
export interface RetiredKey {
  /** Verifier key, as c2sp.org/signed-note writes it. */
  readonly key: string
  /** Leaves of the largest head that it may have signed alone. */
  readonly until: bigint
  /** ISO 8601: when the other took its place. */
  readonly at: string
}

/** How far heads are known: up to a size of the tree, whose last event is at that position of the log. */
export interface HeadsPlace {
  readonly origin: string
  readonly size: bigint
  readonly position: bigint
}

/**
 * The newest leaf of each stream. Made of the tree's entries, and made again where it is missing or damaged. One process at a
 * time has it open: so no two extend one tree. Throws `UnavailableError`.
 */
export interface StreamHeads {
  /** Undefined if nothing was committed. */
  place(): HeadsPlace | undefined
  /** Leaves of these streams, in their order; undefined for one that has none. */
  get(streams: readonly string[]): readonly (bigint | undefined)[]
  set(leaves: ReadonlyMap<string, bigint>): void
  /** All streams, by the bytes of their names in UTF-8. Nothing may be set meanwhile. */
  all(): Iterable<readonly [stream: string, leaf: number]>
  commit(place: HeadsPlace): void
  /** Forgets everything, committed or not. */
  clear(): void
  /** Forgets what was not committed. */
  close(): void
}

/** The newest leaf of each stream at one moment: as it was committed last, with the place. Whoever sets others goes on meanwhile. */
export interface CommittedHeads {
  readonly place: HeadsPlace
  /** As `StreamHeads.all`. */
  all(): Iterable<readonly [stream: string, leaf: number]>
  close(): void
}

/**
 * The archive's Merkle tree as files, by C2SP's tlog-tiles: `checkpoint`, `tile/<level>/…`, `tile/entries/…`. All functions
 * reject with `UnavailableError` where the disk fails.
 */
export interface ProofLog {
  readonly folder: string
  readonly keyFolder: string
  /** Undefined if there is none. */
  head(): Promise<SignedHead | undefined>
  /** A tile or bundle, or a wider one of the same place: a partial one goes once the full one is there. Undefined if there is none. */
  tile(tile: Tile | Bundle): Promise<TreeFile | undefined>
  /** Writes new tiles and bundles. They need not be on disk before `publish`. */
  write(files: readonly TreeFile[]): Promise<void>
  /**
   * Shows a signed checkpoint, once it and all that was written is on disk. `before`: the text that it replaces; if
   * another one stands there, nothing is published.
   */
  publish(text: string, before: string | undefined): Promise<void>
  /** The newest head that witnesses cosigned; undefined if there is none. Older than `head()`, by an hour at most. */
  witnessed(): Promise<string | undefined>
  publishWitnessed(text: string): Promise<void>
  /** Keeps a time stamp (RFC 3161, DER) of the head of that size, beside the tree. */
  keepStamp(size: bigint, token: Uint8Array): Promise<void>
  /** Removes partial tiles and bundles whose full ones belong to a tree of this size. */
  tidy(size: bigint): Promise<void>
  /** Moves checkpoint and tiles into `earlier/<name>`, and removes tiles without a checkpoint. May be repeated. */
  setAside(name: string): Promise<void>
  /** Undefined if there are none. */
  keys(): Promise<ProofKeys | undefined>
  /** Makes keys, unless there are some. */
  makeKeys(): Promise<ProofKeys>
  /** Keys that are to take the place of those; undefined if there are none. */
  nextKeys(): Promise<ProofKeys | undefined>
  /** Makes such keys, unless there are some. */
  makeNextKeys(): Promise<ProofKeys>
  /** Has the next keys take the place of those there are, whose verifier keys are kept as retired. May be repeated. */
  useNextKeys(retired: readonly RetiredKey[]): Promise<void>
  /** Private keys that were replaced last; undefined if they are gone. */
  lastKeys(): Promise<ProofKeys | undefined>
  dropLastKeys(): Promise<void>
  /** All keys that were replaced, the oldest first. */
  retiredKeys(): Promise<readonly RetiredKey[]>
  /** How far the log was compared with the tree, as it was kept; undefined if nothing was. */
  checkState(): Promise<string | undefined>
  keepCheckState(text: string): Promise<void>
  /** Rebuilt views that wait because the log is not what was sealed, as they were kept; undefined if there never were any. */
  heldViews(): Promise<string | undefined>
  keepHeldViews(text: string): Promise<void>
  openHeads(): StreamHeads
  /** Undefined if none were committed. Throws `UnavailableError`. */
  committedHeads(): CommittedHeads | undefined
  /** Empty ones, which go when they are closed. */
  scratchHeads(): StreamHeads
  /** Keeps the rows that were stated of the streams of a tree of that size, and the rows before them; earlier ones go. */
  keepStreamRows(size: bigint, text: AsyncIterable<string>): Promise<void>
  /** Such rows, some text at a time; undefined if they are not there. */
  streamRows(size: bigint): Promise<AsyncIterable<string> | undefined>
}
