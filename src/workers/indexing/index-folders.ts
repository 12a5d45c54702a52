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

/** What is to be taken over into the index of captures. */
export const incomingFolder = ({ config }: FolderSettings): string => join(config.indexingFolder, 'incoming')

/** What it could not take. */
export const refusedFolder = ({ config }: FolderSettings): string => join(config.indexingFolder, 'refused')

/** Where the sorted lines of a file lie that whoever indexed it did not write as a run: workers of others, and Fonds of before. */
export const linesOf = ({ config }: ConfiguredLines, { repository, name }: ArchiveFile): string =>
  join(config.indexingFolder, repository, `${name}${config.indexingFormat === 'cdxj' ? '.cdxj' : '.cdx'}`)

/** They are gone; so were they where it had none. */
export const withdrawLines = (folders: ConfiguredLines, file: ArchiveFile): Promise<void> =>
  rm(linesOf(folders, file), { force: true })
