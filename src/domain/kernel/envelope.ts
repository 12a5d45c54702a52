import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { parseJson } from './json-text.ts'
import { type Unusable, unusable } from './unusable.ts'

/** CloudEvents attributes that Fonds uses, as they came: not checked. */
export interface Attributes {
  readonly id?: unknown
  readonly source?: unknown
  readonly type?: unknown
  readonly specversion?: unknown
  readonly time?: unknown
  readonly subject?: unknown
  readonly correlationid?: unknown
  readonly traceparent?: unknown
}

/** A CloudEvent taken apart. */
export interface Wrapped {
  readonly attributes: Attributes
  /** undefined: there is none. */
  readonly data: unknown
  /** How the producer spelt attribute names, for messages: `ce_` in a broker's headers, `ce-` in HTTP's. */
  readonly prefix: '' | 'ce_' | 'ce-'
}

export const structuredContentType = 'application/cloudevents+json'

type Headers = Readonly<Record<string, string>>

/** By its name in any case. The exact lower-case name, which nearly everyone writes, is found without a search. */
const header = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  if (value !== undefined) return value
  for (const key in headers) if (key.length === name.length && key.toLowerCase() === name) return headers[key]
  return undefined
}

/** Where the attributes stand; undefined where the headers do not say. Left where the content type is none of ours. */
export const modeOf = (headers: Headers): Either<Unusable, 'binary' | 'structured' | undefined> => {
  const contentType = header(headers, 'content-type')
  if (contentType !== undefined && contentType !== 'application/json') {
    if (/^\s*application\/cloudevents/i.test(contentType)) return structuredMode(contentType)
    const fault = contentTypeFault(contentType, 'content-type')
    if (fault) return left(fault)
  }
  return right(binaryNames.some((name) => header(headers, name) !== undefined) ? 'binary' : undefined)
}

const binaryNames = ['ce_specversion', 'ce_id', 'ce_type', 'ce_source']

const structuredMode = (contentType: string): Either<Unusable, 'structured'> =>
  /^\s*application\/cloudevents\+json\s*(;|$)/i.test(contentType)
    ? right('structured')
    : left(
        unusable(
          'not-a-cloud-event',
          `content-type: is ${contentType}; send one event a record, as ${structuredContentType} or with ce_… headers`,
          'content-type',
        ),
      )

/** JSON of any kind is read, in UTF-8 alone (RFC 8259). */
const contentTypeFault = (contentType: string, name: string): Unusable | undefined => {
  if (!/^\s*[\w.-]+\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType))
    return unusable('not-json', `${name}: is ${contentType}; send application/json`, name)
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]
  return charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)
    ? undefined
    : unusable('not-utf8', `${name}: is ${contentType}; send JSON as UTF-8`, name)
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
})

type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (json: unknown): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

export const hasVersion = (json: unknown): json is JsonObject =>
  isObject(json) && Object.hasOwn(json, 'specversion')

/** Attributes are the object's own; the data stand in `data`, or as JSON text in `data_base64`. */
export const structured = (json: JsonObject): Either<Unusable, Wrapped> =>
  map((data): Wrapped => ({ attributes: json, data, prefix: '' }))(dataOf(json))

const dataOf = (json: JsonObject): Either<Unusable, unknown> => {
  const type = json.datacontenttype
  if (type != null) {
    const fault = typeof type === 'string' ? contentTypeFault(type, 'datacontenttype') : notText(type)
    if (fault) return left(fault)
  }
  const base64 = json.data_base64
  if (base64 == null) return right(json.data)
  if (Object.hasOwn(json, 'data'))
    return left(
      unusable('not-a-cloud-event', 'the CloudEvent has both data and data_base64; send one', 'data_base64'),
    )
  const bytes = typeof base64 === 'string' ? fromBase64(base64) : undefined
  if (!bytes) return left(unusable('not-a-cloud-event', 'data_base64: is not base64', 'data_base64'))
  const data = parseJson(bytes)
  return isLeft(data)
    ? left(unusable(data.left.reason, `data_base64: ${data.left.message}`, 'data_base64'))
    : data
}

const notText = (value: unknown): Unusable =>
  unusable(
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
