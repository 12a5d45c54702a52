import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { FileName, Location } from '../../../domain/indexing/file.ts'
import { KnownKind } from '../../../domain/indexing/kind.ts'
import { Place, placeOf } from '../../../domain/indexing/place.ts'
import { decode } from '../../../domain/kernel/codecs.ts'
import { parseJson } from '../../../domain/kernel/json-text.ts'
import { type Listed, nameAt } from './listed.ts'

const Entry = t.intersection(
  [Place.types[1], t.partial({ name: FileName, location: Location, kind: KnownKind })],
  'entry of a list',
)

/**
 * Parses a line of a list: a location, a name without a folder, or an object as `{"location": …, "size": …,
 * "modifiedAt": …}`. Returns undefined for an empty line, and for a comment after `#`.
 */
export const readListLine = (line: string): Listed | undefined => {
  const text = line.trim()
  if (text === '' || text.startsWith('#')) return undefined
  return pipe(
    text.startsWith('{') ? entryIn(text) : E.right(text.includes('/') ? { location: text } : { name: text }),
    E.chain((entry) => decode(Entry, entry)),
    E.chain(listedOf),
    E.getOrElse((reason): Listed => ({ kind: 'skipped', what: text, reason })),
  )
}

const entryIn = (text: string): E.Either<string, unknown> =>
  pipe(
    parseJson(text),
    E.mapLeft(() => 'is no JSON object'),
  )

const listedOf = ({
  name,
  location,
  kind,
  ...observed
}: t.TypeOf<typeof Entry>): E.Either<string, Listed> => {
  const called = name ?? (location === undefined ? '' : nameAt(location))
  if (called === '') return E.left('names no file')
  return pipe(
    decode(FileName, called),
    E.map((valid) => ({
      kind: 'file',
      name: valid,
      place: location === undefined ? undefined : placeOf({ location, ...observed }),
      fileKind: kind,
    })),
  )
}
