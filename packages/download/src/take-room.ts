/**
 * To be called before bytes are written, and awaited where it gives something. `ahead`: so many are to come in all, as far as is known.
 * Rejects where there is no room for them.
 */
export type TakeRoom = (bytes: number, ahead?: number) => Promise<void> | undefined
