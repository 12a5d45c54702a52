import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { UnavailableError } from '../../../async/unavailable.ts'
import {
  areSame,
  copiesUntold,
  type Difference,
  differences,
  type KnownObject,
  maxDifferences,
  unreadable,
} from '../../../domain/ingest/object/storage.ts'
import type { ObjectStore, ObjectStoreFailure } from '../../../ports/object-store.ts'
import type { Report } from '../../runtime/report-on-topic.ts'
import { answeredBy, describeStorageFailure } from './answered-by.ts'

export interface StorageToCompare {
  readonly objects: Pick<ObjectStore, 'inspect' | 'list' | 'aside'>
  readonly knownObject: (object: string) => Promise<KnownObject>
}

/** Result of comparing one object. */
export interface Compared {
  readonly object: string
  readonly differences: readonly Difference[]
  /** Undefined: the log has these differences already. */
  readonly report: Report | undefined
}

/** Compares an object in storage with the log. Undefined while a job stores the object. Throws `UnavailableError`. */
export const compareObject = async (
  object: string,
  { objects, knownObject }: StorageToCompare,
): Promise<Compared | undefined> => {
  // The log is read first: a version stored while storage is read is then not one that the log lacks, but one of a
  // running job.
  const known = await knownObject(object)
  const held = pipe(
    await objects.inspect(object)(),
    E.match(whatElse, (held) => differences(held, known.versions)),
  )
  const found = [...held, ...copiesUntold(answeredBy(await objects.aside(object)()), known.setAside)].slice(
    0,
    maxDifferences,
  )
  if (areSame(known.differences, found)) return { object, differences: found, report: undefined }
  if ((await knownObject(object)).isBeingStored) return undefined
  const data = { object, known: known.versions.length, differences: found }
  return { object, differences: found, report: { type: 'object.compared', data } }
}

const whatElse = (failure: ObjectStoreFailure): readonly Difference[] => {
  if (failure.kind === 'Unavailable') throw new UnavailableError(describeStorageFailure(failure))
  return unreadable
}
