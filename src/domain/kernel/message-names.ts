import * as E from 'fp-ts/lib/Either.js'
import { type DeadLetter, category as deadLetterCategory, deadLetterEvents } from './dead-letter.ts'
import { isObject } from './envelope.ts'
import { categoryOf, type RecordedEvent } from './event.ts'
import { parseJson } from './json-text.ts'

/** Id and source by which the producer knows a message, as far as they can be read. */
interface MessageNames {
  readonly id?: unknown
  readonly source?: unknown
}

/** Reads them from a dead letter. */
export const namesOfLetter = ({ headers, value, encoding }: DeadLetter): MessageNames => {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]))
  if (lower.ce_id !== undefined) return { id: lower.ce_id, source: lower.ce_source }
  const json = parseJson(encoding === 'text' ? value : '')
  return E.isLeft(json) || !isObject(json.right) ? {} : { id: json.right.id, source: json.right.source }
}

/** Returns the id of the message that an event comes from, also of an invalid one; undefined if there is none. */
export const messageIdOf = (event: RecordedEvent): string | undefined => {
  if (categoryOf(event.stream) === deadLetterCategory && event.type === 'DeadLettered') {
    const read = deadLetterEvents.read(event)
    const id =
      E.isLeft(read) || read.right.type !== 'DeadLettered' ? undefined : namesOfLetter(read.right.data).id
    return typeof id === 'string' ? id : undefined
  }
  const { causationId } = event.metadata
  // `causeOf` puts the first `#` between source and id.
  const at = causationId.indexOf('#')
  return at < 0 ? undefined : causationId.slice(at + 1)
}
