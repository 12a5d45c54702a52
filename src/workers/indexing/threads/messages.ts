import type { CdxFormat } from '@fonds/cdx'
import type { ReadFailure } from '@fonds/warc'
import type { Loss } from '../../../domain/indexing/outcome.ts'
import type { WrittenRun } from '../../../ports/capture-index.ts'
import type { StreamFile } from '../streams/messages.ts'

/** The path of a file of this machine, or a file whose bytes come through a ring. */
export type JobFile = string | StreamFile

export type IndexJob =
  /** Reads an archive file, and writes its lines as a run of the index in that folder. */
  | {
      readonly kind: 'index'
      readonly file: JobFile
      readonly name: string
      readonly fileKind: 'content' | 'metadata'
      /** Indexes the undamaged records of a damaged file. */
      readonly salvages?: true
      readonly runs: string
      readonly format: CdxFormat
      /** Keys of responses say what was sent by POST or PUT. */
      readonly requestKeys?: true
    }
  /** Compares the bytes of two files. */
  | { readonly kind: 'compare'; readonly files: readonly [JobFile, JobFile] }

export type IndexOutcome =
  | {
      readonly status: 'written'
      readonly run: WrittenRun
      readonly records: number
      /** Size and time of the file as it was read. */
      readonly size: number
      readonly modifiedAt: string
      readonly warnings: readonly string[]
      /** Present if a salvage found the file damaged. */
      readonly loss?: Loss
    }
  | { readonly status: 'unreadable'; readonly failure: ReadFailure }
  | { readonly status: 'compared'; readonly isSame: boolean }
  /** The thread, or a resource it needs, failed: nothing is known of the file. */
  | { readonly status: 'broken'; readonly reason: string }
  /** The machine cannot do it at present: see `machineFailure`. */
  | { readonly status: 'machine'; readonly reason: string }
  | { readonly status: 'aborted' }

export interface ThreadSettings {
  /** Module whose default export is `OpenRunWriter`. */
  readonly runWriterModule: string
}

export type IndexReply =
  | { readonly kind: 'progress' }
  | { readonly kind: 'done'; readonly outcome: IndexOutcome }
