import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CdxFormat } from '@fonds/cdx'
import type { ArchiveFile } from '../../domain/indexing/file.ts'

export interface FolderSettings {
  readonly config: {
    readonly indexingFolder: string
  }
}

interface ConfiguredLines extends FolderSettings {
  readonly config: FolderSettings['config'] & { readonly indexingFormat: CdxFormat }
}

/** Folder of changes that wait to be applied to the index of captures. */
export const incomingFolder = ({ config }: FolderSettings): string => join(config.indexingFolder, 'incoming')

/** Folder of the reports on lines that the index rejected. */
export const refusedFolder = ({ config }: FolderSettings): string => join(config.indexingFolder, 'refused')

/**
 * Path of a file's sorted lines if its indexer did not write them as a run: third-party workers, and older versions of
 * Fonds.
 */
export const linesOf = ({ config }: ConfiguredLines, { repository, name }: ArchiveFile): string =>
  join(config.indexingFolder, repository, `${name}${config.indexingFormat === 'cdxj' ? '.cdxj' : '.cdx'}`)

/** Deletes a file's lines, if there are any. */
export const withdrawLines = (folders: ConfiguredLines, file: ArchiveFile): Promise<void> =>
  rm(linesOf(folders, file), { force: true })
