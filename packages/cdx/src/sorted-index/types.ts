/**
 * A sorted index of captures, kept as sorted runs in a folder. A line is bytes without LF and NUL, at most 1 MiB: a key, a space, the
 * rest, which begins with the time where `closest` is to find it. Order is that of the bytes, as `LC_ALL=C sort -u` has it.
 *
 * What is read is compared with checksums: lines of a block that is damaged are not served, and all others are.
 *
 * What a disk refuses rejects with the error of the system, and what another process is in the way of with `IndexUnavailable`: the index is
 * as it was before, and the same call may be made again.
 */
export interface SortedIndex<Event extends Texts = Texts> {
  /** Any process may write runs, many at a time. */
  write(lines: LineBatches): Promise<WrittenRun>
  /**
   * Publishes and withdraws, all at once, in the order of their positions: those that `position` has reached do nothing, so that they may
   * come again after a crash. The latest run of a file takes the place of the one before; the same lines again change nothing.
   * Gives the changes that could not be made, with the reason: their runs are gone or damaged.
   */
  change(changes: readonly IndexChange<Event>[]): Promise<readonly RefusedChange<Event>[]>
  /** Changes that stand in no log: made behind all that was changed before. They do not move `position`. */
  changeByHand(changes: readonly HandChange[]): Promise<readonly RefusedChange<Event>[]>
  /** The position of the last change. */
  position(): Promise<bigint>
  /** The same, with the event that was given with that change. */
  place(): Promise<LastChange<Event>>
  /** Merges what is due, and deletes what nobody reads any more. One at a time: the second waits for the first. */
  mergeDue(options?: MergeOptions): Promise<MergeReport>
  /**
   * Plain files of sorted lines, which together hold all lines that hold now. Each is replaced by rename where what it is to hold has
   * changed; one that has nothing to hold is empty. A line that moves between files is in both for `pauseMillis`.
   */
  writeFiles(paths: readonly string[], options?: WriteFilesOptions): Promise<void>
  /**
   * A ZipNum cluster of all lines that hold now, for replay software: `<name>.cdx.gz`, `<name>.idx` and `<name>.loc`. The `.idx` gets its
   * name last.
   */
  exportZipNum(folder: string, name: string, options?: ExportOptions): Promise<ExportedLines>
  /** Batches of lines, each line once: as the index is when the first one is asked for, whatever changes meanwhile. */
  scan(range: ScanRange): AsyncIterable<readonly Uint8Array[]>
  /** Lines of one key, nearest in time first. */
  closest(wanted: ClosestWanted): AsyncIterable<Uint8Array>
  /** Lines that began or ceased to hold between two positions, in order, each once, with what is so now; more may come, fewer do not. */
  changed(wanted: ChangesWanted): AsyncIterable<readonly ChangedLine[]>
  runs(): Promise<readonly RunFacts[]>
  /** Lines that were in blocks that are damaged, until they are there again; of posts, for 30 days. */
  losses(): Promise<readonly LostLines[]>
  close(): Promise<void>
}

/** Whole lines, each with its LF, in any order, many to a batch; a batch may be changed once the next is asked for. */
export type LineBatches = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>

/** A sorted run on disk, of lines that are unique: plain JSON, so that a worker can report it. */
export interface WrittenRun {
  readonly name: string
  readonly lines: number
  readonly bytes: number
  /** Digest of its bytes, in hex. */
  readonly sha256: string
  /** Keys of the first and the last line, a character a byte; empty where there is no line. */
  readonly first: string
  readonly last: string
}

/** Writes one run in the thread that calls it, for as long as sorting and the disk take. */
export interface RunWriter {
  /** Without its LF; in any order. */
  add(line: string): void
  /** The lines are on disk, each once. Throws what the disk says, and `RangeError` for a line that cannot stand in the index. */
  end(): WrittenRun
  /** Leaves nothing behind. */
  discard(): void
}

/** Texts of the caller's, which say what decided a change. */
export type Texts = Readonly<Record<string, string>>

export interface LastChange<Event extends Texts = Texts> {
  readonly position: bigint
  /** As it was given with the change; absent where it was not. */
  readonly event?: Event
}

type Change =
  | { readonly kind: 'publish'; readonly file: string; readonly run: WrittenRun }
  | { readonly kind: 'withdraw'; readonly file: string }
  /**
   * Lines that were given by themselves, and are taken away by themselves: the last of these changes that has a line says whether it holds.
   * What is published of a file holds beside them.
   */
  | { readonly kind: 'add' | 'remove'; readonly run: WrittenRun }

export type IndexChange<Event extends Texts = Texts> = Change & LastChange<Event>

export interface ExportOptions {
  /** Default: 3000. */
  readonly linesPerBlock?: number
  readonly signal?: AbortSignal
  /** Called with how many more lines were written. */
  readonly onLines?: (lines: number) => void
}

export interface ExportedLines {
  readonly lines: number
  readonly blocks: number
  /** Digest of the cluster, in hex. */
  readonly sha256: string
}

export type HandChange = Extract<Change, { readonly kind: 'publish' | 'withdraw' }>

export interface WriteFilesOptions {
  readonly pauseMillis?: number
  readonly signal?: AbortSignal
}

export interface RefusedChange<Event extends Texts = Texts> {
  readonly change: IndexChange<Event>
  readonly reason: string
}

export interface MergeOptions {
  /** Merges all runs that are not frozen into one, due or not. */
  readonly all?: boolean
  readonly signal?: AbortSignal
}

export interface MergeReport {
  readonly merges: number
  readonly bytesWritten: number
  /** Lines that damage took and that are not published again yet. */
  readonly lost: readonly LostLines[]
}

export interface ScanRange {
  /** From this line on; absent: from the first. */
  readonly from?: Uint8Array
  /** Up to this line, and without it; absent: to the last. */
  readonly to?: Uint8Array
  /** From the last line to the first. */
  readonly backwards?: boolean
  /** The lines that held at this position, of files that were withdrawn since as well. */
  readonly asOf?: bigint
}

export interface ClosestWanted {
  readonly key: Uint8Array
  /** 1 to 14 digits; what is missing is the earliest. */
  readonly time: string
  /** Which of two comes first that are as near; default: the earlier one. */
  readonly tie?: 'earlier' | 'later'
  readonly asOf?: bigint
}

export interface ChangesWanted {
  /** Behind this position, up to `upTo`. */
  readonly since: bigint
  readonly upTo: bigint
  /** From this line on; absent: from the first. */
  readonly from?: Uint8Array
}

export interface ChangedLine {
  readonly line: Uint8Array
  readonly holds: boolean
}

export interface LostLines {
  /** The run that had them. */
  readonly run: string
  /** When it was found out, in ms. */
  readonly at: number
  readonly lines: number
  readonly blocks: number
  /** Keys around them: of the last good line before, and the first one behind; empty: there is none. */
  readonly from: string
  readonly to: string
  /** Files whose lines may be among them: those that are at hand are to be indexed again. What is left of them is served meanwhile. */
  readonly files: readonly { readonly file: string; readonly digest: string; readonly number: number }[]
  /** Posts whose lines may be among them: they are nowhere else, and have to be posted again. */
  readonly posts: number
}

/** A run as operators see it. */
export interface RunFacts extends WrittenRun {
  /** How often its lines were merged, on a scale of the number of runs in it. */
  readonly level: number
  /** Archive files and posts that it has lines of. */
  readonly files: number
  /** `removed`: lines of files that were withdrawn or replaced, for `asOf`. */
  readonly state: 'live' | 'frozen' | 'removed'
  /** Blocks that are damaged, and not served. */
  readonly badBlocks: number
  /** A reader found damage in it, left that out, and nobody has looked through the run since. */
  readonly isSuspect: boolean
}

/** Merges sorted files of text into a new one, each line once, in the order of `LC_ALL=C sort`. */
export type MergeFiles = (paths: readonly string[], into: string) => Promise<void>
