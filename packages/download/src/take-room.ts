/**
 * Reserves room for bytes before they are written; a promise must be awaited. `ahead` is the total number of
 * bytes to come, as far as known. Rejects if there is no room for them.
 */
export type TakeRoom = (bytes: number, ahead?: number) => Promise<void> | undefined
