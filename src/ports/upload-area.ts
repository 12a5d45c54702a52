import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from './unavailable.ts'

/** The storage takes no file of this name, whenever it is asked. */
export interface UploadRefused {
  readonly kind: 'Refused'
  readonly reason: string
}

export interface OfferedFile {
  /** Bytes. */
  readonly size: number
  /** Hex. */
  readonly sha256: string
}

/** Requests that write a file: one, or one a part, in any order. Other sizes than those are refused. */
export interface UploadOffer {
  /** Absent: the one request makes the file, and the bucket refuses other bytes. */
  readonly uploadId?: string
  readonly requests: readonly {
    /** From 1. */
    readonly number: number
    /** Position of its first byte in the file, and their number. */
    readonly from: number
    readonly size: number
    readonly url: string
    /** To be sent beside Content-Length. */
    readonly headers: Readonly<Record<string, string>>
  }[]
}

export interface WrittenPart {
  readonly number: number
  /** As the bucket answered, without quotation marks. */
  readonly etag: string
}

export interface StoredUpload {
  readonly size: number
  /** Hex, of all bytes; absent where the bucket has compared none. */
  readonly sha256?: string
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
  /** Lets a client write a file without us, for `seconds`. Each call begins another upload of it. */
  offer(
    path: string,
    file: OfferedFile,
    seconds: number,
  ): TaskEither<Unavailable | UploadRefused, UploadOffer>
  /** Makes the file of the parts that a client wrote. May be repeated. */
  complete(
    path: string,
    uploadId: string,
    parts: readonly WrittenPart[],
  ): TaskEither<Unavailable | UploadRefused, void>
  /** The file as the bucket has it; undefined if it has none. */
  stat(path: string): TaskEither<Unavailable, StoredUpload | undefined>
  /** Names of the folders at its top, also of those with nothing but incomplete files. */
  folders(): TaskEither<Unavailable, readonly string[]>
  /** When something of the folder was last written or begun, in milliseconds of Unix time; 0 if it is empty. */
  lastWritten(folder: string): TaskEither<Unavailable, number>
  /** Deletes a folder for good, and what is incomplete in it. */
  remove(folder: string): TaskEither<Unavailable, void>
  /** Ends its connections. */
  close(): Promise<void>
}
