import { isLeft } from 'fp-ts/lib/Either.js'
import { Location, RepositoryName } from '../../domain/indexing/file.ts'

/** Where a repository's files are listed: a folder or a bucket, which is walked, or a list of them, local or over HTTP. */
export interface Source {
  readonly repository: string
  readonly location: string
}

/** Parses `main=/srv/warcs,nas=https://host.example/files`, comma-separated. Returns undefined if one is invalid. */
export const parseSources = (text: string): readonly Source[] | undefined => {
  const sources = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map(parseSource)
  return sources.includes(undefined) ? undefined : (sources as Source[])
}

const parseSource = (text: string): Source | undefined => {
  const equals = text.indexOf('=')
  const [repository, location] = [text.slice(0, equals), text.slice(equals + 1)]
  return equals < 1 || isLeft(RepositoryName.decode(repository)) || !isListed(location)
    ? undefined
    : { repository, location }
}

/** A bucket has files itself, without a prefix. */
const isListed = (location: string): boolean =>
  /^s3:\/\/[^/\s]+\/?$/.test(location) || !isLeft(Location.decode(location))
