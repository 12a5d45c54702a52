import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from './unavailable.ts'

/** The storage takes no file of this name, whenever it is asked. */
export interface UploadRefused {
  readonly kind: 'Refused'
  readonly reason: string
}

/**
 * Uploaded files in a bucket, where any node reads them, until nobody needs them. Paths are relative, with `/`; a folder
 * is all that is below one. Each file is written once.
 */
export interface UploadArea {
  /** `s3://bucket/prefix/`: the address of a file is this and its path, as it stands. */
  readonly address: string
  /** Writes a file that nobody sees before it is whole. Rejects with what `bytes` throws. */
  write(path: string, bytes: AsyncIterable<Uint8Array>): TaskEither<Unavailable | UploadRefused, void>
  /** Reads a file; rejects with what `onChunk` throws. */
  read(path: string, onChunk: (chunk: Uint8Array) => void): TaskEither<Unavailable, void>
  /** Keeps a text, unless the path has one. Returns the one that it has then. */
  keepFirst(path: string, text: string): TaskEither<Unavailable, string>
  text(path: string): TaskEither<Unavailable, string | undefined>
  /** Names of the folders at its top, also of those with nothing but incomplete files. */
  folders(): TaskEither<Unavailable, readonly string[]>
  /** When something of the folder was last written or begun, in milliseconds of Unix time; 0 if it is empty. */
  lastWritten(folder: string): TaskEither<Unavailable, number>
  /** Deletes a folder for good, and what is incomplete in it. */
  remove(folder: string): TaskEither<Unavailable, void>
  /** Ends its connections. */
  close(): Promise<void>
}
