/** Calls that the gateway answers otherwise than EventStoreDB, by design. `docs/reference/gateway.md` says so, too. */
export interface Difference {
  readonly reason: string
  /** Scenarios, and the places of the calls in them. */
  readonly calls: Readonly<Record<string, readonly number[]>>
}

export const differences: readonly Difference[] = [
  {
    reason:
      'names that trailers cannot hold are percent-encoded there, where the server answers HTTP 500 or leaves them out',
    calls: {
      'delete: names that trailers cannot hold': [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23],
    },
  },
  {
    reason: 'positions are 1, 2, 3 …: all are places where a reader may begin, also those that no event has',
    calls: { 'read: everything': [6, 11, 12], 'subscribe: everything': [6, 7, 12] },
  },
  {
    reason: 'what is refused is refused with a sentence, where the server says that an exception was thrown',
    calls: {
      'append: what is odd in an event': [3, 7],
      'batchAppend: what is odd in an event': [3, 7],
      'read: everything, filtered': [12],
      'expected revision 2^64-1 (older clients for no stream), filters without an interval': [6],
    },
  },
  {
    reason: 'names that start with $ are refused, but for metadata',
    calls: {
      'append: what is odd in an event': [8, 9],
      'batchAppend: what is odd in an event': [8, 9],
      'read: a stream': [18],
    },
  },
  {
    reason: 'calls are answered that the server never answers',
    calls: {
      'append: repeats': [5],
      'batchAppend: repeats': [5],
      'batchAppend: in parts, several at once, without options': [2],
      'read: everything': [19],
    },
  },
  {
    reason: 'a tombstone is no event',
    calls: { 'tombstone: expected revisions': [17], 'subscribe: a stream': [16] },
  },
  { reason: 'the methods are those that there are', calls: { features: [0] } },
]

/** Calls that it answers as 24.10.0 does, where the versions differ. */
export const as24_10: Difference['calls'] = {
  // A stream that is not there yet has nothing to catch up with.
  'subscribe: a stream': [10, 14],
  'subscribe: everything': [9],
  // Nobody is too slow: who falls behind catches up, and is told so.
  'subscribe: a consumer too slow for one append': [3],
}
