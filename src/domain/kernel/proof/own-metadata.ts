import { originalTimeOf } from '../foreign-metadata.ts'
import { asBytes, type StoredBytes, type StoredEvent, storedText } from '../stored-event.ts'

/*
 * A copy of a log keeps the metadata of an event byte for byte, and adds the event's time as their last member: `recordedAt`,
 * which readers take for the time of the event. Servers get two names that repeat others. The tree leaves these out
 * (`ownMetadata`), so that a log and its copies have the same leaves. Metadata that are no JSON object are copied in base64.
 */

type Timed = Pick<StoredEvent, 'metadata' | 'recordedAt'>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectIn = (text: string | undefined): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const timeMember = (recordedAt: string): string => `"recordedAt":"${recordedAt}"`

/** The metadata for a copy: a reader of it finds the event's own time. Unchanged if it stands in them already. */
export const copiedMetadata = ({ metadata, recordedAt }: Timed): StoredBytes => {
  const text = storedText(metadata)
  const value = objectIn(text)
  if (text === undefined || value === undefined) {
    const base64 = Buffer.from(asBytes(metadata)).toString('base64')
    return `{"$base64":"${base64}",${timeMember(recordedAt)}}`
  }
  if (originalTimeOf(value) === recordedAt) return metadata
  const comma = Object.keys(value).length === 0 ? '' : ','
  return withBehind(text, `${comma}${timeMember(recordedAt)}`)
}

/** Metadata for a server, whose own tools follow a correlation by these two names. */
export const withReservedNames = (text: string): string => {
  const { correlationId, causationId, $correlationId, $causationId } = objectIn(text) ?? {}
  if (typeof correlationId !== 'string' || typeof causationId !== 'string') return text
  if ($correlationId !== undefined || $causationId !== undefined) return text
  return withBehind(
    text,
    `${reserved}${JSON.stringify(correlationId)},"$causationId":${JSON.stringify(causationId)}`,
  )
}

const reserved = ',"$correlationId":'

/** The object with members behind its own. */
const withBehind = (text: string, members: string): string => {
  const end = text.lastIndexOf('}')
  return `${text.slice(0, end)}${members}${text.slice(end)}`
}

/**
 * The metadata as they were first written: without the event's own time and without the reserved names, each once at most,
 * where adding them again gives the stored bytes.
 */
export const ownMetadata = ({ metadata, recordedAt }: Timed): StoredBytes => {
  const text = storedText(metadata)
  if (text === undefined) return metadata
  const served = withoutReservedNames(text)
  const untimed = withoutTime(served, recordedAt)
  return served === text && typeof untimed === 'string' && untimed !== text
    ? withoutReservedNames(untimed)
    : untimed
}

const base64Object = /^\{"\$base64":"([^"]*)",$/

const withoutTime = (text: string, recordedAt: string): StoredBytes => {
  const end = text.lastIndexOf('}')
  const start = end - timeMember(recordedAt).length
  if (start < 1 || !text.startsWith(timeMember(recordedAt), start)) return text
  const before = text.slice(0, start)
  const [, base64] = base64Object.exec(before) ?? []
  const metadata =
    base64 === undefined
      ? `${before.endsWith(',') ? before.slice(0, -1) : before}${text.slice(end)}`
      : Buffer.from(base64, 'base64')
  return copiedMetadata({ metadata, recordedAt }) === text ? metadata : text
}

const withoutReservedNames = (text: string): string => {
  const start = text.lastIndexOf(reserved)
  if (start < 0) return text
  const rest = `${text.slice(0, start)}${text.slice(text.lastIndexOf('}'))}`
  return withReservedNames(rest) === text ? rest : text
}
