/**
 * Takes room for bytes before they are written; to be awaited where it gives a promise. `ahead`: so many are to come in all, as far as is
 * known. Rejects where there is no room for them.
 */
export type TakeRoom = (bytes: number, ahead?: number) => Promise<void> | undefined
