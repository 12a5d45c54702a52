import type { EmbargoWord } from '../kernel/embargo.ts'
import { nameOfPart } from '../kernel/part-name.ts'
import type { ArchiveFile } from './events.ts'
import type { Brought, Listed, OfVersion } from './handing-over.ts'
import { type FileSighted, type FileWithdrawn, filesTopic } from './outputs.ts'

/* Messages of the rule `indexing` about archive files of a version, and about their withdrawal. */

/** Endings that indexing takes for those of archive files, as those who write them give them; case is ignored. */
const archive = /\.(w?arc(\.gz)?|warc\.zst|wacz)$/i

/** True if indexing would read a file of this name. */
export const isArchiveName = (name: string): boolean => archive.test(name)

export type ArchiveMessage =
  | { readonly topic: typeof filesTopic; readonly type: 'file.sighted'; readonly data: FileSighted }
  | { readonly topic: typeof filesTopic; readonly type: 'file.withdrawn'; readonly data: FileWithdrawn }

/** Archive files that a version brought, in the order of their paths. */
export const archivesOf = (
  { object }: Pick<OfVersion, 'object'>,
  { folder, files }: Pick<Brought, 'folder' | 'files'>,
  listed: Listed,
): readonly ArchiveFile[] =>
  files
    .filter(({ place }) => isArchiveName(place))
    .map(({ place, sha256 }) => {
      const size = listed.get(sha256)?.size
      return {
        name: nameOfPart({ object, path: place }),
        path: `${folder}/${place}`,
        sha256,
        ...(size !== undefined && { size }),
      }
    })
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))

/** `root`: of the storage, an absolute path or `s3://…`, without a slash at its end. */
export const sighted = (
  { root, store, embargoUntil }: Of,
  { name, path, size }: Pick<ArchiveFile, 'name' | 'path' | 'size'>,
): ArchiveMessage => ({
  topic: filesTopic,
  type: 'file.sighted',
  data: {
    repository: store,
    name,
    location: `${root}/${path}`,
    embargoUntil,
    ...(size !== undefined && { size }),
  },
})

interface Of {
  readonly root: string
  readonly store: string
  readonly embargoUntil: EmbargoWord
}

export const withdrawnArchive = (store: string, name: string, reason: string): ArchiveMessage => ({
  topic: filesTopic,
  type: 'file.withdrawn',
  data: { repository: store, name, reason },
})
