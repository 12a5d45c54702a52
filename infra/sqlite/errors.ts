/* SQLite's primary result codes. */
export const SQLITE_BUSY = 5
export const SQLITE_READONLY = 8
export const SQLITE_IOERR = 10
export const SQLITE_CORRUPT = 11
export const SQLITE_FULL = 13
export const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26

/** 0 for an error that is not SQLite's. */
export const resultCode = (error: unknown): number =>
  ((error as { readonly errcode?: number } | undefined)?.errcode ?? 0) & 0xff

export const isBusy = (error: unknown): boolean => resultCode(error) === SQLITE_BUSY

/** The file is damaged, or no database. */
export const isDamage = (error: unknown): boolean =>
  resultCode(error) === SQLITE_CORRUPT || resultCode(error) === SQLITE_NOTADB
