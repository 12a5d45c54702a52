import type { Capture } from '@fonds/cdx'
import { isSystemError } from '@fonds/toolbox'
import { type ReadFailure, UnreadableArchive } from '@fonds/warc'
import {
  type OnProgress,
  type ReadOptions,
  type ReadSummary,
  readRecords,
  type SalvageSummary,
  type SourceFile,
  salvageRecords,
  type Visit,
} from '@fonds/warc/read'
import * as E from 'fp-ts/lib/Either.js'
import { diskReason } from '../../../async/disk-reasons.ts'
import { errorMessage } from '../../../async/errors.ts'
import { machineFailure } from '../../../async/machine-failure.ts'
import { findContents } from '../wacz/find-contents.ts'
import { type CaptureOptions, captureVisit, checkCapture } from './read-captures.ts'

/** Captures that are provisional until `keep`: a file that fails at its end has captures, too (W16, W17). */
export interface CaptureDraft {
  add(capture: Capture): void
  /** The file was read to its end, and stood still meanwhile. */
  keep(): void | Promise<void>
  discard(): void | Promise<void>
}

/** The summary of a reading, with its number of captures. */
export type WithCaptures<Summary extends ReadSummary> = Summary & { readonly captures: number }

/**
 * Reads the records of a WARC, ARC or WACZ file, and adds its captures to the draft. Ends it by `keep` or `discard`, so that
 * no caller has to know whether the file was whole. `breathe` is awaited now and then. Rethrows what it or the draft
 * throws, once the draft is discarded.
 */
export const readArchive = (
  path: string | SourceFile,
  options: CaptureOptions,
  draft: CaptureDraft,
  breathe?: OnProgress,
): Promise<E.Either<ReadFailure, WithCaptures<ReadSummary>>> =>
  reading(options, draft, breathe, (visit, how) => readRecords(path, visit, how))

/** As `readArchive`, for a damaged file: reads only records that are whole. */
export const salvageArchive = (
  path: string | SourceFile,
  options: CaptureOptions,
  draft: CaptureDraft,
  breathe?: OnProgress,
): Promise<E.Either<ReadFailure, WithCaptures<SalvageSummary>>> =>
  reading(options, draft, breathe, (visit, how) =>
    salvageRecords(path, visit, { ...how, check: checkCapture }),
  )

const reading = async <Summary extends ReadSummary>(
  options: CaptureOptions,
  draft: CaptureDraft,
  breathe: OnProgress = () => {},
  read: (visit: Visit, how: ReadOptions) => Promise<Summary>,
): Promise<E.Either<ReadFailure, WithCaptures<Summary>>> => {
  let captures = 0
  const { visit, end } = captureVisit(options, (capture) => {
    captures++
    draft.add(capture)
  })
  try {
    const { name } = options
    const contents = findContents(name)
    const summary = await read(visit, { name, onProgress: breathe, toError, contents })
    const warnings = end()
    await draft.keep()
    return E.right({ ...summary, warnings: [...summary.warnings, ...warnings], captures })
  } catch (error) {
    await draft.discard()
    if (error instanceof UnreadableArchive) return E.left(error.failure)
    throw error
  }
}

/**
 * Error of a file that the operating system does not give: if the machine is at fault, nothing is known of the file.
 */
const toError = (error: unknown, path: string): Error =>
  machineFailure(error) ??
  new UnreadableArchive(
    'unreadable',
    isSystemError(error, 'EACCES', 'EPERM')
      ? `${path} may not be read; give the user that runs Fonds the right to`
      : (diskReason(error) ?? errorMessage(error)),
  )
