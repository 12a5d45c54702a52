import type { FileHandle } from 'node:fs/promises'
import type { Validators } from '@fonds/download'

/** Media whose bytes are on this disk: downloaded, or local from the start. */
export interface MediaFile {
  readonly handle: FileHandle
  readonly bytes: number
  /** SHA-256, lower-case hex. */
  readonly hash: string
  readonly validators: Validators
}
