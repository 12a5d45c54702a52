/**
 * Shares of the setting `cacheBytes`, in percent. Each cache bounds itself by the bytes of its share, so that all together
 * stay within the setting. A new cache takes its share from the others: the sum is 100.
 */
const percent = {
  /** Rows of views that were folded lately. A row that is not here is read from the file, and parsed, before it changes. */
  rows: 26,
  /** Pages of the views' file: of rows, of their indexes and of their past, which are written in the order of their keys. */
  viewPages: 20,
  /** The newest events of the log, parsed once for all that follow it: projections, reactions, listeners. */
  events: 14,
  /** Pages of the file of the log and the topics, in the connection that writes: the ends of streams and topics. */
  logPages: 12,
  /** The same, in the connection that only reads. */
  logReaderPages: 3,
  /** States of streams that were decided on lately. Without it, a command reads its whole stream. */
  states: 10,
  /** Blocks of the capture index, first lines of blocks, and tables of origins. */
  captures: 5,
  /** Components and their changes, for matching. */
  matching: 4,
  /** Descriptions of episodes and clips, for work items of research. */
  descriptions: 1,
  /** Steps of the log that were encoded for those who follow it over HTTP. */
  steps: 2,
  /** Counts of rows for those who scroll through a list. */
  tallies: 2,
  /** The thread that extends a leader's lease: pages, events and states, for a single stream. */
  lease: 1,
} as const

type CacheName = keyof typeof percent

/** Bytes for each cache. */
export type CacheShares = Readonly<Record<CacheName, number>>

/** Below that, pages of SQLite and single rows no longer fit into their shares. */
export const minCacheBytes = 16 * 1024 ** 2

export const defaultCacheBytes = 128 * 1024 ** 2

export const cacheShares = (cacheBytes: number): CacheShares =>
  Object.fromEntries(
    Object.entries(percent).map(([name, share]) => [name, Math.floor((cacheBytes * share) / 100)]),
  ) as CacheShares
