import { closeSync, openSync, writeSync } from 'node:fs'

/** A file of invalid lines as they came, to be corrected and sent again. */
interface Rejects {
  /** Bytes of a line; a line may come in several parts. */
  write(bytes: Uint8Array): void
  endLine(): void
  close(): void
}

const lineFeed = Buffer.from('\n')

/** An existing file is written over. Throws what opening and writing a file throws. */
export const openRejects = (path: string | undefined): Rejects => {
  if (path === undefined) return { write: () => {}, endLine: () => {}, close: () => {} }
  const file = openSync(path, 'w')
  const write = (bytes: Uint8Array) => {
    for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from)
  }
  return { write, endLine: () => write(lineFeed), close: () => closeSync(file) }
}
