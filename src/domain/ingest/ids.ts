import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { PositiveInteger } from '../kernel/codecs.ts'
import { streamName } from '../kernel/event.ts'
import { idCodec } from '../kernel/id.ts'

/* Names and ids, and the streams of their subjects. */

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const number = /^[1-9][0-9]{0,14}$/

/** The public id of a batch. */
export const BatchId = annotate(
  t.refinement(t.string, (s) => uuid.test(s), 'UUID in lower case'),
  { format: 'uuid', pattern: uuid.source },
)

/** A batch as people name it: by its number, or by its public id. */
export const BatchName: t.Type<string, string, unknown> = annotate(
  new t.Type<string, string, unknown>(
    'number or public id of a batch',
    (u): u is string => typeof u === 'string' && (number.test(u) || uuid.test(u)),
    (u, context) => {
      const name = typeof u === 'number' ? String(u) : typeof u === 'string' ? u.trim().toLowerCase() : ''
      return BatchName.is(name) ? t.success(name) : t.failure(u, context)
    },
    t.identity,
  ),
  { type: 'string', pattern: `${number.source}|${uuid.source}`, examples: ['7'] },
)

/** Jobs count upwards; the older one has the lower number. */
export const JobNumber = PositiveInteger

export const ProfileName = idCodec('profile name', 128)
export const CollectionName = idCodec('collection name', 128)
export const Owner = idCodec('owner', 255)
/** The producer's id of an object; it identifies one object of its owner. */
export const LocalId = idCodec('local id', 512)

/** Id of an object in storage: an ARK if ingest stored it, any text if another program did. */
export const ObjectId = idCodec('object id', 1024)

/** Scope of a hold: all ingest, or one collection. */
export type HoldScope = 'all' | { readonly collection: string }

export const scopeId = (scope: HoldScope): string =>
  scope === 'all' ? 'all' : `collection:${scope.collection}`

export const scopeOf = (id: string): HoldScope =>
  id === 'all' ? 'all' : { collection: id.slice('collection:'.length) }

/**
 * A local id identifies an object of its owner. The owner's slashes are escaped, so that the first slash separates the
 * two.
 */
export const localIdKey = (owner: string, localId: string): string =>
  `${encodeURIComponent(owner)}/${localId}`

export const localIdOf = (key: string): { readonly owner: string; readonly localId: string } => {
  const slash = key.indexOf('/')
  return { owner: decodeURIComponent(key.slice(0, slash)), localId: key.slice(slash + 1) }
}

/** Subjects with ascending numbers. */
export type Counter = 'batches' | 'jobs'

export const categories = {
  ids: 'ingestIds',
  batch: 'ingestBatch',
  job: 'ingestJob',
  profile: 'ingestProfile',
  hold: 'ingestHold',
  object: 'ingestObject',
  localId: 'ingestLocalId',
  volume: 'ingestVolume',
  housekeeping: 'ingestHousekeeping',
  storage: 'ingestStorage',
  drop: 'ingestDrop',
} as const

export const idsStream = (counter: Counter): string => streamName(categories.ids, counter)
export const batchStream = (batch: string): string => streamName(categories.batch, batch)
export const jobStream = (job: number): string => streamName(categories.job, String(job))
export const profileStream = (name: string): string => streamName(categories.profile, name)
export const holdStream = (scope: HoldScope): string => streamName(categories.hold, scopeId(scope))
export const objectStream = (ark: string): string => streamName(categories.object, ark)
export const localIdStream = (owner: string, localId: string): string =>
  streamName(categories.localId, localIdKey(owner, localId))
export const volumeStream = (name: string): string => streamName(categories.volume, name)
export const housekeepingStream = streamName(categories.housekeeping, 'all')
/** `place`: `s3://bucket/prefix`. */
export const dropStream = (place: string): string => streamName(categories.drop, place)
export const storageStream = streamName(categories.storage, 'root')
