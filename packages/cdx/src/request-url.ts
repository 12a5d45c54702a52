import { flattenedJson } from './flattened-json.ts'

/** Method and body of a request. */
export interface Request {
  readonly method: string
  /** Content-Type; '' if there is none. */
  readonly mime: string
  readonly body: Uint8Array
}

/**
 * Returns the URL that represents a request, as pywb and cdxj-indexer do: the body of a POST or a PUT becomes
 * parameters. Its SURT is the key of the response. A GET is its URL.
 */
export const requestUrl = (url: string, request: Request): string => {
  if (request.method === 'GET') return url
  const parameters = hasBody.has(request.method) ? parametersOf(request).slice(0, maxLength) : ''
  const mark = url.includes('?') ? '&' : '?'
  return `${url}${mark}__wb_method=${request.method}${parameters === '' ? '' : `&${parameters}`}`
}

const hasBody = new Set(['POST', 'PUT'])
const maxLength = 4096

const parametersOf = ({ mime, body }: Request): string => {
  if (mime.startsWith('application/x-www-form-urlencoded')) return form(body) ?? base64(body)
  if (mime.startsWith('application/json')) return flattenedJson(textOf(body) ?? '') ?? ''
  if (mime.startsWith('text/plain')) return flattenedJson(textOf(body) ?? '') ?? base64(body)
  return base64(body)
}

const base64 = (body: Uint8Array): string => `__wb_post_data=${Buffer.from(body).toString('base64')}`

/** Decodes a form once; undefined if it is not UTF-8. */
const form = (body: Uint8Array): string | undefined =>
  textOf(body)
    ?.replaceAll('+', ' ')
    .replace(escapes, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())

const escapes = /(?:%[\da-f]{2})+/gi

const textOf = (body: Uint8Array): string | undefined => {
  const text = Buffer.from(body).toString()
  return Buffer.compare(Buffer.from(text), body) === 0 ? text : undefined
}
