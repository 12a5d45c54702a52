export type OnProgress = () => void | Promise<void>

/** Bytes of records between two calls of `onProgress`. */
export const stepBytes = 8 * 1024 * 1024
