import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { declarationFile, type MerrittKind, merrittKindOf } from '@fonds/bag'
import type { SubmissionType } from '../../../domain/ingest/payload.ts'
import { containerKind, isSevenZip } from '../unpack/container.ts'

/** A manifest's profile stands in its first lines. */
export const beginningBytes = 8 * 1024

const typeOfManifest: Readonly<Record<MerrittKind, SubmissionType>> = {
  object: 'manifest',
  batch: 'batch-manifest',
  'container-batch': 'container-batch-manifest',
  'single-file-batch': 'single-file-batch-manifest',
}

/** What a file is that nobody has said it of: by its name, else by what its first lines declare (reference ingest §2.2). */
export const typeOfFile = async (name: string, beginning: () => Promise<Buffer>): Promise<SubmissionType> => {
  if (containerKind(name) !== undefined || isSevenZip(name)) return 'container'
  const kind = merrittKindOf((await beginning()).toString('utf8'))
  return kind === undefined ? 'file' : typeOfManifest[kind]
}

/** What a folder is that nobody has said it of: `has` tells whether there is such a file in it. */
export const typeOfFolder = async (
  has: (name: string) => boolean | Promise<boolean>,
): Promise<SubmissionType> => ((await has(declarationFile)) ? 'bag' : 'folder')

export const hasFile =
  (folder: string) =>
  (name: string): Promise<boolean> =>
    stat(join(folder, name)).then(
      (found) => found.isFile(),
      () => false,
    )
