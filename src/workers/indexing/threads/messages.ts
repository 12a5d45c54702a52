import type { CdxFormat } from '@fonds/cdx'
import type { ReadFailure } from '@fonds/warc'
import type { Loss } from '../../../domain/indexing/outcome.ts'
import type { WrittenRun } from '../../../ports/capture-index.ts'

export type IndexJob =
  /** Reads an archive file, and writes its lines as a run of the index in that folder. */
  | {
      readonly kind: 'index'
      readonly path: string
      readonly name: string
      readonly fileKind: 'content' | 'metadata'
      /** Of a damaged file, what is whole is indexed. */
      readonly salvages?: true
      readonly runs: string
      readonly format: CdxFormat
    }
  /** Compares the bytes of two files. */
  | { readonly kind: 'compare'; readonly paths: readonly [string, string] }

export type IndexOutcome =
  | {
      readonly status: 'written'
      readonly run: WrittenRun
      readonly records: number
      /** Of the file as it was read. */
      readonly size: number
      readonly modifiedAt: string
      readonly warnings: readonly string[]
      /** Of a salvage that did not find the file whole. */
      readonly loss?: Loss
    }
  | { readonly status: 'unreadable'; readonly failure: ReadFailure }
  | { readonly status: 'compared'; readonly isSame: boolean }
  /** The thread, or what it needs, broke: nothing is said of the file. */
  | { readonly status: 'broken'; readonly reason: string }
  /** The machine cannot do it now: see `machineFailure`. */
  | { readonly status: 'machine'; readonly reason: string }
  | { readonly status: 'aborted' }

export interface ThreadSettings {
  /** Whose default export is `OpenRunWriter`. */
  readonly runWriterModule: string
}

export type IndexReply =
  | { readonly kind: 'progress' }
  | { readonly kind: 'done'; readonly outcome: IndexOutcome }
