/**
 * A sorted index of captures, kept as sorted runs in a folder. A line is bytes without LF and NUL, at most 1
 * MiB: a key, a space and the rest, which begins with the time if `closest` is to find it. Lines are sorted
 * by their bytes, as by `LC_ALL=C sort -u`.
 *
 * Reads are compared with checksums: lines of a damaged block are not served, and all others are.
 *
 * A call rejects with the system's error if the disk refuses it, and with `IndexUnavailable` if another
 * process is in its way. The index is then as it was before, and the same call may be made again.
 */
export interface SortedIndex<Event extends Texts = Texts> {
  /** Writes a run. Any process may do so, many at a time. */
  write(lines: LineBatches): Promise<WrittenRun>
  /**
   * Applies changes, all at once, in the order of their positions. Those that `position` has reached do
   * nothing, so that they may be repeated after a crash. The latest run of a file replaces the one before;
   * the same lines again change nothing. Returns the changes that could not be made, with the reason: their
   * runs are missing or damaged.
   */
  change(changes: readonly IndexChange<Event>[]): Promise<readonly RefusedChange<Event>[]>
  /** Applies changes that are in no log, after all earlier ones. They do not move `position`. */
  changeByHand(changes: readonly HandChange[]): Promise<readonly RefusedChange<Event>[]>
  /** The position of the last change. */
  position(): Promise<bigint>
  /** The position of the last change, with the event that was given with it. */
  place(): Promise<LastChange<Event>>
  /** Merges runs that are due, and deletes those that nobody reads any more. Calls run one by one. */
  mergeDue(options?: MergeOptions): Promise<MergeReport>
  /**
   * Writes plain files of sorted lines, which together have all lines that hold now. A file whose content has
   * changed is replaced by rename; one without lines is empty. A line that moves between files is in both for
   * `pauseMillis`.
   */
  writeFiles(paths: readonly string[], options?: WriteFilesOptions): Promise<void>
  /**
   * Writes a ZipNum cluster of all lines that hold now, for replay software: `<name>.cdx.gz`, `<name>.idx`
   * and `<name>.loc`. The `.idx` is renamed into place last.
   */
  exportZipNum(folder: string, name: string, options?: ExportOptions): Promise<ExportedLines>
  /**
   * Yields batches of lines, each line once: as the index is when the first batch is requested, whatever
   * changes meanwhile.
   */
  scan(range: ScanRange): AsyncIterable<readonly Uint8Array[]>
  /** Yields the lines of one key, nearest in time first. */
  closest(wanted: ClosestWanted): AsyncIterable<Uint8Array>
  /**
   * Yields the lines that began or ceased to hold between two positions, in order, each once, and whether
   * they hold now. There may be more lines, never fewer.
   */
  changed(wanted: ChangesWanted): AsyncIterable<readonly ChangedLine[]>
  runs(): Promise<readonly RunFacts[]>
  /** Lines lost in damaged blocks, until they are in the index again; posts for 30 days. */
  losses(): Promise<readonly LostLines[]>
  close(): Promise<void>
}

/** Whole lines with LF, in any order, many to a batch. A batch may be changed once the next is requested. */
export type LineBatches = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>

/** A sorted run of unique lines on disk: plain JSON, so that a worker can report it. */
export interface WrittenRun {
  readonly name: string
  readonly lines: number
  readonly bytes: number
  /** Digest of its bytes, in hex. */
  readonly sha256: string
  /** Keys of the first and the last line, a character per byte; empty if there is no line. */
  readonly first: string
  readonly last: string
}

/** Writes one run in the calling thread, which sorting and the disk block. */
export interface RunWriter {
  /** Adds a line, without its LF, in any order. */
  add(line: string): void
  /**
   * Returns once the lines are on disk, each once. Throws the disk's errors, and `RangeError` for a line that
   * the index cannot have.
   */
  end(): WrittenRun
  /** Deletes everything that was written. */
  discard(): void
}

/** The caller's texts on what decided a change. */
export type Texts = Readonly<Record<string, string>>

export interface LastChange<Event extends Texts = Texts> {
  readonly position: bigint
  /** The event that was given with the change; absent if none was. */
  readonly event?: Event
}

type Change =
  | { readonly kind: 'publish'; readonly file: string; readonly run: WrittenRun }
  | { readonly kind: 'withdraw'; readonly file: string }
  /**
   * Lines that are added and removed by themselves: the last of these changes that has a line decides whether
   * it holds. Lines that are published with a file hold beside them.
   */
  | { readonly kind: 'add' | 'remove'; readonly run: WrittenRun }

export type IndexChange<Event extends Texts = Texts> = Change & LastChange<Event>

export interface ExportOptions {
  readonly leftOut?: LeftOut | undefined
  /** Default: 3000. */
  readonly linesPerBlock?: number
  readonly signal?: AbortSignal
  /** Called with the number of further lines written. */
  readonly onLines?: (lines: number) => void
}

export interface ExportedLines {
  readonly lines: number
  readonly blocks: number
  /** Digest of the cluster, in hex. */
  readonly sha256: string
}

export type HandChange = Extract<Change, { readonly kind: 'publish' | 'withdraw' }>

/** Lines that are not written. */
export interface LeftOut {
  /** Equal where the same lines are left out. */
  readonly key: string
  readonly has: (line: Uint8Array) => boolean
}

export interface WriteFilesOptions {
  readonly leftOut?: LeftOut | undefined
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
  /** Lines that were lost by damage and are not published again yet. */
  readonly lost: readonly LostLines[]
}

export interface ScanRange {
  /** The first line; absent: from the first of the index. */
  readonly from?: Uint8Array
  /** The end, which is exclusive; absent: to the last line. */
  readonly to?: Uint8Array
  /** From the last line to the first. */
  readonly backwards?: boolean
  /** Selects the lines that held at this position, including those of files that were withdrawn since. */
  readonly asOf?: bigint
}

export interface ClosestWanted {
  readonly key: Uint8Array
  /** 1 to 14 digits; missing ones mean the earliest time. */
  readonly time: string
  /** Which of two equally near lines comes first; default: the earlier one. */
  readonly tie?: 'earlier' | 'later'
  readonly asOf?: bigint
}

export interface ChangesWanted {
  /** Changes after this position, up to and including `upTo`. */
  readonly since: bigint
  readonly upTo: bigint
  /** The first line; absent: from the first of the index. */
  readonly from?: Uint8Array
}

export interface ChangedLine {
  readonly line: Uint8Array
  readonly holds: boolean
}

export interface LostLines {
  /** The run that had them. */
  readonly run: string
  /** Time at which the loss was found, in ms. */
  readonly at: number
  readonly lines: number
  readonly blocks: number
  /** Keys of the last good line before them and of the first one behind; empty: there is none. */
  readonly from: string
  readonly to: string
  /**
   * Files whose lines may be among them: those that are available are to be indexed again. Their remaining
   * lines are served meanwhile.
   */
  readonly files: readonly { readonly file: string; readonly digest: string; readonly number: number }[]
  /** Number of posts whose lines may be among them: they are nowhere else, and have to be posted again. */
  readonly posts: number
}

/** A run as operators see it. */
export interface RunFacts extends WrittenRun {
  /** How often its lines were merged, on a logarithmic scale of the runs in it. */
  readonly level: number
  /** Number of archive files and posts whose lines it has. */
  readonly files: number
  /** `removed`: lines of files that were withdrawn or replaced, for `asOf`. */
  readonly state: 'live' | 'frozen' | 'removed'
  /** Number of damaged blocks, which are not served. */
  readonly badBlocks: number
  /** A reader found damage in it and left that out, and the run was not verified since. */
  readonly isSuspect: boolean
}

/** Merges sorted files of text into a new one, each line once, in the order of `LC_ALL=C sort`. */
export type MergeFiles = (paths: readonly string[], into: string) => Promise<void>
