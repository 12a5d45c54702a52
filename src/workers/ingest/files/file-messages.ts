import type { LocalCopy } from '../fetch/copy-local.ts'
import type { Fetched } from '../fetch/wanted.ts'
import type { Container } from '../unpack/unpack.ts'
import type { UnpackedFile } from '../unpack/write-entry.ts'
import type { TextFile } from './write-files.ts'

export type FileJob =
  | { readonly kind: 'copy'; readonly copy: LocalCopy; readonly roomPercent: number }
  | { readonly kind: 'write'; readonly files: readonly TextFile[] }
  | { readonly kind: 'unpack'; readonly container: Container; readonly roomPercent: number }

export type FileOutcome =
  | { readonly kind: 'copied'; readonly fetched: Fetched }
  | { readonly kind: 'written' }
  /** Sentences on what the container has beside its files. */
  | { readonly kind: 'unpacked'; readonly warnings: readonly string[] }
  | {
      readonly kind: 'failed'
      readonly because: 'source' | 'content' | 'unusable' | 'machine' | 'other'
      readonly message: string
    }
  | { readonly kind: 'no-room'; readonly message: string; readonly missing: number }
  | { readonly kind: 'aborted' }

export type FileReply =
  | { readonly kind: 'progress' }
  /** Files of a container, since the last reply. */
  | { readonly kind: 'files'; readonly files: readonly UnpackedFile[] }
  | { readonly kind: 'done'; readonly outcome: FileOutcome }
