import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { streamName } from '../kernel/event.ts'
import { idCodec } from '../kernel/id.ts'

/** An archive file: one name in one repository, wherever it lies (W21). */
export interface ArchiveFile {
  readonly repository: string
  /** Its own name, without folders: replay asks for it by this name. */
  readonly name: string
}

/** Category of the streams that hold a file's whole life. */
export const category = 'indexing'

/** `repository/name`: neither has a slash. */
export const fileId = ({ repository, name }: ArchiveFile): string => `${repository}/${name}`

export const fileOf = (id: string): ArchiveFile => {
  const slash = id.indexOf('/')
  return { repository: id.slice(0, slash), name: id.slice(slash + 1) }
}

export const fileStream = (file: ArchiveFile): string => streamName(category, fileId(file))

const repositoryName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export const RepositoryName = annotate(
  t.refinement(
    t.string,
    (s) => repositoryName.test(s),
    'repository name (letters, digits, dot, dash, underscore; at most 64)',
  ),
  { pattern: repositoryName.source },
)

/** Folders are parted by slashes: a name has none. Blanks are encoded where it stands in an index. */
export const FileName = annotate(
  t.refinement(
    idCodec('file name', 255),
    (s) => !s.includes('/') && s !== '.' && s !== '..',
    'name of a file, without a folder',
  ),
  { pattern: '^[^/]+$' },
)

/** An absolute path, or an address: `file:`, `http:` or `https:`; `s3://bucket/key`, with the key as it is. */
export const Location = annotate(
  t.refinement(
    idCodec('location', 4096),
    (s) => s.startsWith('/') || /^(file|https?):\/\/\S+$/.test(s) || /^s3:\/\/[^/\s]+\/./.test(s),
    'absolute path, or address (file:, http:, https:, s3:)',
  ),
  { pattern: '^(/|(file|https?|s3)://)' },
)
