/**
 * Reads a file below the prefix of a log (c2sp.org/tlog-tiles): `checkpoint`, `tile/…`. Undefined if there is none; rejects with
 * `UnavailableError` where nobody answers in time, or more than such a file can hold.
 */
export type GetProofFile = (path: string, signal: AbortSignal) => Promise<Uint8Array | undefined>
