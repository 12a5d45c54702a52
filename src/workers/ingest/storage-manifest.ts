import { join } from 'node:path'
import * as t from 'io-ts'
import type { ObjectFile } from '../../domain/ingest/payload.ts'
import { fileListOf, readFileList } from './file-list.ts'
import type { TextFile } from './files/write-files.ts'
import type { WorkFolder } from './work-folder.ts'

const Head = t.type({
  ark: t.string,
  /** Version of the object that it comes after; 0 = it is the first. */
  basedOn: t.number,
  created: t.string,
  /** Files of the previous version that an update deletes. */
  drop: t.readonlyArray(t.string),
  message: t.string,
})

/** All input of storing: object, time of creation, and each file with size and digest. */
export interface StorageManifest extends t.TypeOf<typeof Head> {
  /** By their paths in the object: below `producer/` and `system/`. */
  readonly files: readonly ObjectFile[]
}

export const storageManifestFile = (path: string, { files, ...head }: StorageManifest): TextFile =>
  fileListOf(path, files, [head])

/** Undefined if the manifest is missing or incomplete. */
export const readStorageManifest = async (path: string): Promise<StorageManifest | undefined> => {
  const list = await readFileList(path)
  const [head] = list?.head ?? []
  return list && Head.is(head) ? { ...head, files: list.files } : undefined
}

const manifestName = 'system/mrt-submission-manifest.txt'

/** Returns the path of a file's bytes in the work folder. */
export const placeOf = (folder: WorkFolder, path: string): string =>
  path === manifestName ? folder.submissionManifest : join(folder.path, path)
