import type { DatabaseSync } from 'node:sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { decode } from '../../../src/domain/kernel/codecs.ts'
import { query } from '../../sqlite/query.ts'
import { dataValue, type EncodedEvent, encodeForeign } from './encoding.ts'

/*
 * EventStoreDB keeps the metadata of stream `x` as `$metadata` events of stream `$$x`, of which only the last one
 * applies. The columns of `streams` are a fold of it. `$acl` and all other keys are stored and returned, not enforced.
 */

interface StreamRules {
  /** Only so many of the newest events are kept; null for all. */
  readonly maxCount: number | null
  /** Seconds after which an event no longer reads; null for never. */
  readonly maxAge: number | null
  /** Events below this revision no longer read. */
  readonly truncateBefore: number
  /** The stream reads as none until it is written again. */
  readonly deleted: boolean
}

export const isMetastream = (name: string): boolean => name.startsWith('$$')
export const metastreamOf = (name: string): string => `$$${name}`
export const originalOf = (metastream: string): string => metastream.slice(2)

/** The greatest 64-bit number: every revision is below it, so the whole stream is deleted. */
export const deletionMetadata = '{"$tb":9223372036854775807}'
const beyondEveryRevision = 2 ** 63

const WholeNumber = t.refinement(t.number, Number.isInteger, 'whole number')
const Metadata = t.partial({ $maxCount: WholeNumber, $maxAge: WholeNumber, $tb: WholeNumber }, 'JSON object')

/**
 * Reads the rules in metadata as EventStoreDB does: a value below its minimum is no rule; if any is not a whole number,
 * none applies.
 */
export const rulesOf = (json: unknown): StreamRules => {
  const {
    $maxCount = 0,
    $maxAge = 0,
    $tb = 0,
  } = pipe(
    decode(Metadata, json),
    E.getOrElse((): t.TypeOf<typeof Metadata> => ({})),
  )
  return {
    maxCount: $maxCount > 0 ? $maxCount : null,
    maxAge: $maxAge > 0 ? $maxAge : null,
    truncateBefore: Math.min(Math.max($tb, 0), Number.MAX_SAFE_INTEGER),
    deleted: $tb >= beyondEveryRevision,
  }
}

/** An event for the metastream of a stream. */
export const createMetadataEvent = (json: string): EncodedEvent =>
  encodeForeign({
    id: crypto.randomUUID(),
    type: '$metadata',
    contentType: 'application/json',
    data: Buffer.from(json),
    metadata: new Uint8Array(),
  })

/** Returns the latest metadata of a stream, as they were written; undefined if there are none. */
export const createMetadataReader = (db: DatabaseSync) => {
  const newest = query<[data: string, encoding: number]>(
    db,
    `SELECT e.data, e.encoding FROM streams s JOIN events e ON e.stream_id = s.id
     WHERE s.name = ? ORDER BY e.revision DESC LIMIT 1`,
  )
  return (name: string): unknown => {
    const row = newest.get(metastreamOf(name))
    return row && dataValue(...row)
  }
}
