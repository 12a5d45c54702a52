import type { EventMetadata } from './event.ts'

type Json = Readonly<Record<string, unknown>>

/** Key of stored metadata: when the event was first recorded, kept where a log is copied. */
const originalTime = 'recordedAt'

/**
 * An event's metadata, from what any program stored. `$correlationId` and `$causationId`, EventStoreDB's names, are used
 * where ours are missing; where both are missing it is `unknown`.
 */
export const metadataOf = (stored: unknown): EventMetadata => {
  const { $correlationId, $causationId, [originalTime]: _, ...own } = isObject(stored) ? stored : {}
  if (isOurs(own)) return own
  return {
    actor: textOr(own.actor, 'unknown'),
    causationId: textOr(own.causationId, textOr($causationId, 'unknown')),
    correlationId: textOr(own.correlationId, textOr($correlationId, 'unknown')),
    schema: isSchema(own.schema) ? own.schema : 1,
  }
}

const canonicalTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

export const originalTimeOf = (stored: unknown): string | undefined => {
  const time = isObject(stored) ? stored[originalTime] : undefined
  if (typeof time !== 'string' || !canonicalTime.test(time)) return undefined
  const millis = Date.parse(time)
  return Number.isNaN(millis) ? undefined : new Date(millis).toISOString()
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isOurs = (own: Json): own is Json & EventMetadata =>
  typeof own.actor === 'string' &&
  typeof own.causationId === 'string' &&
  typeof own.correlationId === 'string' &&
  isSchema(own.schema) &&
  (own.origin === undefined || isObject(own.origin)) &&
  (own.traceparent === undefined || typeof own.traceparent === 'string')

const isSchema = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)
