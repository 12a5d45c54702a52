import type { LocalCopy } from '../fetch/copy-local.ts'
import type { Fetched } from '../fetch/wanted.ts'
import type { TextFile } from './write-files.ts'

export type FileJob =
  | { readonly kind: 'copy'; readonly copy: LocalCopy }
  | { readonly kind: 'write'; readonly files: readonly TextFile[] }

export type FileOutcome =
  | { readonly kind: 'copied'; readonly fetched: Fetched }
  | { readonly kind: 'written' }
  | { readonly kind: 'failed'; readonly because: 'source' | 'content' | 'other'; readonly message: string }
  | { readonly kind: 'aborted' }

export type FileReply =
  | { readonly kind: 'progress' }
  | { readonly kind: 'done'; readonly outcome: FileOutcome }
