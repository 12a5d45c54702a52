import { type MerrittKind, merrittKindOf } from '@fonds/bag'
import type { SubmissionType } from '../../../domain/ingest/payload.ts'
import { containerKind, isSevenZip } from '../unpack/container.ts'

/** A manifest's profile is in its first lines. */
export const beginningBytes = 8 * 1024

const typeOfManifest: Readonly<Record<MerrittKind, SubmissionType>> = {
  object: 'manifest',
  batch: 'batch-manifest',
  'container-batch': 'container-batch-manifest',
  'single-file-batch': 'single-file-batch-manifest',
}

/** Detects the type of a file: by its name, else by the profile in its first lines (reference ingest §2.2). */
export const typeOfFile = async (name: string, beginning: () => Promise<Buffer>): Promise<SubmissionType> => {
  if (containerKind(name) !== undefined || isSevenZip(name)) return 'container'
  const kind = merrittKindOf(await beginning())
  return kind === undefined ? 'file' : typeOfManifest[kind]
}
