import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CdxFormat } from '../../../domain/indexing/cdx/formats.ts'
import type { ArchiveFile } from '../../../domain/indexing/file.ts'

/** Where lines lie: in a folder for each repository a sorted file for each archive file, which replay can read as it is. */
export interface IndexFolder {
  /** A path for lines that are still to be published; nothing is there. */
  draftOf(file: ArchiveFile, fence: number): Promise<string>
  /** All at once, in place of those that the file had before (W17). */
  publish(file: ArchiveFile, draft: string): Promise<void>
  /** Where its published lines are. */
  pathOf(file: ArchiveFile): string
  /** Its lines are gone; so were they where it had none. */
  withdraw(file: ArchiveFile): Promise<void>
}

export const createIndexFolder = (root: string, format: CdxFormat): IndexFolder => {
  const extension = format === 'cdxj' ? '.cdxj' : '.cdx'
  const drafts = join(root, '.drafts')
  const folderOf = ({ repository }: ArchiveFile) => join(root, repository)
  const published = (file: ArchiveFile) => join(folderOf(file), `${file.name}${extension}`)

  return {
    draftOf: async (file, fence) => {
      await mkdir(drafts, { recursive: true })
      // What a job that was killed left behind, under this claim or an older one.
      for (const name of await readdir(drafts))
        if (name.startsWith(prefixOf(file))) await rm(join(drafts, name), { force: true })
      return join(drafts, `${prefixOf(file)}${fence}`)
    },
    publish: async (file, draft) => {
      const folder = folderOf(file)
      await mkdir(folder, { recursive: true })
      await rename(draft, published(file))
      await syncFolder(folder)
    },
    pathOf: published,
    withdraw: (file) => rm(published(file), { force: true }),
  }
}

/** Names have no blanks. */
const prefixOf = ({ repository, name }: ArchiveFile): string => `${repository} ${name} `

/** Without it a power cut may undo a rename. */
const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder, 'r')
  await handle.sync()
}
