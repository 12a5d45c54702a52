import type { DigestAlgorithm } from '@fonds/digests'
import type { WrittenFile } from '../files/write-file.ts'

/** The files of one request. They are deleted on disposal unless they are kept. */
export interface Drop extends AsyncDisposable {
  readonly files: readonly WrittenFile[]
  /** Address of a file once it is kept; of the folder of all of them for an empty path. */
  addressOf(path: string): string
  /** Throws `UnusableContent` for an invalid name, `DropTooLarge`, `NoRoom` and `UnavailableError`. */
  write(
    name: string,
    bytes: AsyncIterable<Uint8Array>,
    algorithms?: readonly DigestAlgorithm[],
  ): Promise<WrittenFile>
  /**
   * Returns it in hex; reads the file again if it was not computed during the upload. Undefined if the file passed by us
   * and is not to be read now.
   */
  digest(file: WrittenFile, algorithm: DigestAlgorithm): Promise<string | undefined>
  /**
   * Makes the files those of the batch, durably. False: that has other files, of an earlier request; equal ones are
   * taken for these.
   */
  keep(): Promise<boolean>
  /** Whether the files of an existing batch are these. True as well if they were ingested and deleted. */
  isRepeat(): Promise<boolean>
}

/** The files exceed a limit. */
export class DropTooLarge extends Error {
  override readonly name = 'DropTooLarge'
}

export interface DropLimits {
  readonly files: number
  /** All files together. */
  readonly bytes: number
}

/** Counts files before they come, and their bytes. Both throw `DropTooLarge`. */
export const countingUpTo = (limits: DropLimits) => {
  let files = 0
  let bytes = 0
  return {
    file: (): void => {
      files += 1
      if (files > limits.files)
        throw new DropTooLarge(
          `there are more than ${limits.files} files; send less at a time, or a container`,
        )
    },
    bytes: (count: number): void => {
      bytes += count
      if (bytes > limits.bytes)
        throw new DropTooLarge(
          `the files are over ${limits.bytes} bytes; send less at a time, or the URL where they lie`,
        )
    },
  }
}
