import { join, resolve } from 'node:path'
import { atHome } from '../../runtime/at-home.ts'

interface FolderSettings {
  readonly home: string
  readonly mediaFolders?: string
}

/** Clips that were uploaded. */
export const uploadsFolder = ({ home }: Pick<FolderSettings, 'home'>): string => join(home, 'clips')

/**
 * The folders that `file:` addresses may lead into; absent: any. Where the setting is there but names no folder, uploads alone
 * are opened.
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
