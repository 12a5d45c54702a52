import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type InvalidMessage, invalidMessage } from './invalid-message.ts'
import { parseJson } from './json-text.ts'
import type { MessageIdentity } from './message.ts'

/** CloudEvents attributes that Fonds uses, not validated. */
export interface Attributes {
  readonly id?: unknown
  readonly source?: unknown
  readonly type?: unknown
  readonly specversion?: unknown
  readonly time?: unknown
  readonly subject?: unknown
  readonly correlationid?: unknown
  readonly traceparent?: unknown
  readonly foreign?: unknown
}

/** A CloudEvent split into attributes and data. */
export interface Wrapped {
  readonly attributes: Attributes
  /** Undefined: the event has none. */
  readonly data: unknown
  /**
   * Prefix of attribute names as the producer spelt them, for error messages: `ce_` in a broker's headers, `ce-` in
   * HTTP's.
   */
  readonly prefix: '' | 'ce_' | 'ce-'
  /** As in `Message`. */
  readonly quoted?: MessageIdentity
}

export const structuredContentType = 'application/cloudevents+json'

type Headers = Readonly<Record<string, string>>

/** Finds a header by its name in any case. The exact lower-case name, which nearly everyone writes, needs no search. */
const header = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  if (value !== undefined) return value
  for (const key in headers) if (key.length === name.length && key.toLowerCase() === name) return headers[key]
  return undefined
}

/** Returns the content mode; undefined if the headers do not determine it. Left if the content type is not supported. */
export const modeOf = (headers: Headers): E.Either<InvalidMessage, 'binary' | 'structured' | undefined> => {
  const contentType = header(headers, 'content-type')
  if (contentType !== undefined && contentType !== 'application/json') {
    if (/^\s*application\/cloudevents/i.test(contentType)) return structuredMode(contentType)
    const invalid = invalidContentType(contentType, 'content-type')
    if (invalid) return E.left(invalid)
  }
  return E.right(binaryNames.some((name) => header(headers, name) !== undefined) ? 'binary' : undefined)
}

const binaryNames = ['ce_specversion', 'ce_id', 'ce_type', 'ce_source']

const structuredMode = (contentType: string): E.Either<InvalidMessage, 'structured'> =>
  /^\s*application\/cloudevents\+json\s*(;|$)/i.test(contentType)
    ? E.right('structured')
    : E.left(
        invalidMessage(
          'not-a-cloud-event',
          `content-type: is ${contentType}; send one event a record, as ${structuredContentType} or with ce_… headers`,
          'content-type',
        ),
      )

/** Accepts every JSON media type, in UTF-8 alone (RFC 8259). */
export const invalidContentType = (contentType: string, name: string): InvalidMessage | undefined => {
  if (!/^\s*[\w.-]+\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType))
    return invalidMessage('not-json', `${name}: is ${contentType}; send application/json`, name)
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]
  return charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)
    ? undefined
    : invalidMessage('not-utf8', `${name}: is ${contentType}; send JSON as UTF-8`, name)
}

export const binaryAttributes = (headers: Headers): Attributes => ({
  id: header(headers, 'ce_id'),
  source: header(headers, 'ce_source'),
  type: header(headers, 'ce_type'),
  specversion: header(headers, 'ce_specversion'),
  time: header(headers, 'ce_time'),
  subject: header(headers, 'ce_subject'),
  correlationid: header(headers, 'ce_correlationid'),
  // Tracing libraries write the W3C header itself.
  traceparent: header(headers, 'ce_traceparent') ?? header(headers, 'traceparent'),
  foreign: header(headers, 'ce_foreign'),
})

type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (json: unknown): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

export const hasVersion = (json: unknown): json is JsonObject =>
  isObject(json) && Object.hasOwn(json, 'specversion') && json.specversion !== null

/** Attributes are the object's own fields. Data are in `data`, or as JSON text in `data_base64`. */
export const structured = (json: JsonObject): E.Either<InvalidMessage, Wrapped> =>
  pipe(
    dataOf(json),
    E.map((data) => ({ attributes: json, data, prefix: '' })),
  )

const dataOf = (json: JsonObject): E.Either<InvalidMessage, unknown> => {
  const type = json.datacontenttype
  if (type != null) {
    const invalid = typeof type === 'string' ? invalidContentType(type, 'datacontenttype') : notText(type)
    if (invalid) return E.left(invalid)
  }
  const base64 = json.data_base64
  if (base64 == null) return E.right(json.data)
  if (json.data != null)
    return E.left(
      invalidMessage(
        'not-a-cloud-event',
        'the CloudEvent has both data and data_base64; send one',
        'data_base64',
      ),
    )
  const bytes = typeof base64 === 'string' ? fromBase64(base64) : undefined
  if (!bytes) return E.left(invalidMessage('not-a-cloud-event', 'data_base64: is not base64', 'data_base64'))
  return pipe(
    parseJson(bytes),
    E.mapLeft(({ reason, message }) => invalidMessage(reason, `data_base64: ${message}`, 'data_base64')),
  )
}

const notText = (value: unknown): InvalidMessage =>
  invalidMessage(
    'not-a-cloud-event',
    `datacontenttype: wants text, got ${JSON.stringify(value)}`,
    'datacontenttype',
  )

const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
  } catch {
    return undefined
  }
}
