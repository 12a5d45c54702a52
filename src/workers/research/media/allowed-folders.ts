import { join, resolve } from 'node:path'
import { atHome } from '../../runtime/at-home.ts'

interface FolderSettings {
  readonly home: string
  readonly mediaFolders?: string
}

/** Folder of uploaded clips. */
export const uploadsFolder = ({ home }: Pick<FolderSettings, 'home'>): string => join(home, 'clips')

/**
 * Returns the folders that `file:` URLs may lead to; absent: any. If the setting is present but empty, only uploads are
 * opened.
 */
export const allowedFolders = (settings: FolderSettings): { readonly folders?: readonly string[] } => {
  const { mediaFolders } = settings
  if (mediaFolders === undefined) return {}
  const named = mediaFolders.split(',').map((folder) => folder.trim())
  return {
    folders: [
      ...named.filter((folder) => folder !== '').map((folder) => resolve(atHome(folder))),
      resolve(uploadsFolder(settings)),
    ],
  }
}
