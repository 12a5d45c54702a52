import { join, resolve } from 'node:path'
import { isBucketAddress } from '../../../domain/kernel/bucket-address.ts'
import { atHome } from '../../runtime/at-home.ts'

interface FolderSettings {
  readonly home: string
  readonly mediaFolders?: string
}

/** Places that `file:` and `s3:` addresses may lead to; absent: any. */
export interface AllowedPlaces {
  readonly folders?: readonly string[]
  /** `s3://bucket` and `s3://bucket/prefix`. */
  readonly buckets?: readonly string[]
}

/** Folder of uploaded clips. */
export const uploadsFolder = ({ home }: Pick<FolderSettings, 'home'>): string => join(home, 'clips')

/** Returns the places of the setting, and uploads. If it is present but empty, only uploads are opened. */
export const allowedFolders = (settings: FolderSettings): AllowedPlaces =>
  settings.mediaFolders === undefined ? {} : namedPlaces(settings)

/** As `allowedFolders`; if the setting is absent, only uploads. */
export const namedPlaces = (settings: FolderSettings): Required<AllowedPlaces> => {
  const named = (settings.mediaFolders ?? '').split(',').map((folder) => folder.trim())
  const [buckets, folders] = [named.filter(isBucketAddress), named.filter((one) => !isBucketAddress(one))]
  return {
    buckets,
    folders: [
      ...folders.filter((folder) => folder !== '').map((folder) => resolve(atHome(folder))),
      resolve(uploadsFolder(settings)),
    ],
  }
}
