import type { CdxFormat } from '../../../domain/indexing/cdx/formats.ts'
import type { ReadFailure } from '../reader/read-failure.ts'

export type IndexJob =
  /** Reads an archive file, and writes its sorted lines into a new file. */
  | {
      readonly kind: 'index'
      readonly path: string
      readonly name: string
      readonly fileKind: 'content' | 'metadata'
      readonly into: string
      readonly format: CdxFormat
    }
  /** Compares the bytes of two files. */
  | { readonly kind: 'compare'; readonly paths: readonly [string, string] }

export type IndexOutcome =
  | {
      readonly status: 'written'
      readonly lines: number
      readonly digest: string
      readonly records: number
      /** Of the file as it was read. */
      readonly size: number
      readonly modifiedAt: string
      readonly warnings: readonly string[]
    }
  | { readonly status: 'unreadable'; readonly failure: ReadFailure }
  | { readonly status: 'compared'; readonly isSame: boolean }
  /** The thread, or what it needs, broke: nothing is said of the file. */
  | { readonly status: 'broken'; readonly reason: string }
  | { readonly status: 'aborted' }

export type IndexReply =
  | { readonly kind: 'progress' }
  | { readonly kind: 'done'; readonly outcome: IndexOutcome }
