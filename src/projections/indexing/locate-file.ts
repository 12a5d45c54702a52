import * as E from 'fp-ts/lib/Either.js'
import type { ArchiveFile } from '../../domain/indexing/file.ts'
import type { Place } from '../../domain/indexing/place.ts'
import { files } from '../../domain/indexing/views.ts'
import { is, rows } from '../../domain/kernel/read-views.ts'
import type { RowOf, Views } from '../../domain/kernel/view.ts'

interface NotLocated {
  readonly code: 'no-such-file' | 'several-files'
  readonly message: string
  readonly path: 'name'
}

export const notKnown = (name: string): NotLocated => ({
  code: 'no-such-file',
  message: `no archive file ${name} is known`,
  path: 'name',
})

/** The name of a file in a URL. */
interface AskedName {
  /** Decoded. */
  readonly name: string
  /** As it was sent. */
  readonly sent: string
}

/** A file that may be read. */
interface Located {
  readonly name: string
  /** The first one first: all hold the same bytes. */
  readonly places: readonly [Place, ...Place[]]
}

/**
 * Finds a file by its name as it is asked for. Lines have names that hold blanks percent-encoded, and others as they are, so that a
 * percent sign may be of the name itself. Without a repository, searches all; if several have the file, any of them, provided that
 * their lines are the same.
 */
export const locateFile = (
  views: Pick<Views, 'query'>,
  { name, sent, repository }: AskedName & Partial<Pick<ArchiveFile, 'repository'>>,
): E.Either<NotLocated, Located> => {
  const called = (name: string) =>
    rows(views, files, {
      where: [is('name', name), ...(repository === undefined ? [] : [is('repository', repository)])],
      orderBy: [{ column: 'repository' }],
    })
  const refuse = (code: NotLocated['code'], message: string) =>
    E.left({ code, message, path: 'name' as const })
  const decoded = called(name)
  const literal = sent === name ? [] : called(sent)
  if (decoded.some(isServed) && literal.some(isServed))
    return refuse(
      'several-files',
      `lines of ${name} and of ${sent} have the same name: rename one of the two files`,
    )
  const found = decoded.some(isServed) || literal.length === 0 ? decoded : literal
  if (found.length === 0) return E.left(notKnown(name))
  const served = found.filter(isServed)
  if (served.length === 0) return refuse('no-such-file', `the archive file ${name} was withdrawn`)
  const [first, ...others] = served.flatMap(placesOf)
  if (first === undefined)
    return refuse('no-such-file', `where the archive file ${name} lies is not known; have a list show it`)
  if (!areSame(served))
    return refuse(
      'several-files',
      `several repositories have a file ${name}, and not the same one: ask for ${served.map((one) => `/warc/${one.repository}/${name}`).join(' or ')}`,
    )
  return E.right({ name: found === decoded ? name : sent, places: [first, ...others] })
}

const isServed = ({ state }: RowOf<typeof files>): boolean => state !== 'withdrawn'

/** True if all files have the same lines. Their bytes are then the same: each line has the place of its record. */
const areSame = ([first, ...others]: readonly RowOf<typeof files>[]): boolean =>
  others.every(({ digest, lines }) => digest !== null && lines !== 0 && digest === first?.digest)

const placesOf = ({ location, folded }: RowOf<typeof files>): readonly Place[] => [
  ...(location === null ? [] : [folded.place ?? { location }]),
  ...folded.copies.filter(({ verdict }) => verdict === 'same').map(({ place }) => place),
]
