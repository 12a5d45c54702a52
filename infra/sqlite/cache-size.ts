/** Value of `PRAGMA cache_size` for so many bytes of pages: negative KiB. SQLite allocates them when it first needs them. */
export const cacheSize = (bytes: number): number => -Math.max(1, Math.floor(bytes / 1024))
