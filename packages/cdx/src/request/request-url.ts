import { jsonQuery, type Spelling } from './json-query.ts'
import { multipartQuery } from './multipart-query.ts'

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
export const requestUrl = (url: string, request: Request): string =>
  urlWithQuery(url, request.method, requestQuery(request))

/** `query`: parameters that stand for the body, as `requestQuery` makes them. A fragment would make them a part of itself. */
export const urlWithQuery = (url: string, method: string, query: string): string => {
  if (method === 'GET') return url
  const sent = url.replace(/#.*/s, '')
  const mark = sent.includes('?') ? '&' : '?'
  return `${sent}${mark}__wb_method=${method}${query === '' ? '' : `&${query}`}`
}

/**
 * The parameters that stand for a body: those of a form, of JSON and of multipart, else all bytes in base 64. At most 4096 characters;
 * '' where there is no body, and for JSON that cannot be read.
 */
export const requestQuery = (request: Request, spelling: Spelling = 'cdxj-indexer'): string => {
  if (!hasBody.has(request.method)) return ''
  const query = parametersOf(request, spelling)
  // Characters are counted as Python does.
  return query.length <= maxLength ? query : [...query.slice(0, 2 * maxLength)].slice(0, maxLength).join('')
}

const hasBody = new Set(['POST', 'PUT'])
export const maxLength = 4096

const parametersOf = ({ mime, body }: Request, spelling: Spelling): string => {
  if (body.length === 0 && spelling === 'pywb') return ''
  if (mime.startsWith('application/x-www-form-urlencoded')) return formQuery(body) ?? base64Query(body)
  if (mime.startsWith('multipart/')) return multipartQuery(mime, body) ?? base64Query(body)
  if (mime.startsWith('application/json')) return jsonOf(body, spelling) ?? ''
  if (mime.startsWith('text/plain')) return jsonOf(body, spelling) ?? base64Query(body)
  return base64Query(body)
}

const jsonOf = (body: Uint8Array, spelling: Spelling): string | undefined => {
  const text = textOf(body)
  return text === undefined ? undefined : jsonQuery(text.replace(/^\ufeff/, ''), spelling)
}

export const base64Query = (body: Uint8Array): string =>
  `${base64Mark}${Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, maxLength)).toString('base64')}`

export const base64Mark = '__wb_post_data='

/** Decodes a form once; undefined if it is not UTF-8. */
export const formQuery = (body: Uint8Array): string | undefined =>
  textOf(body)
    ?.replaceAll('+', ' ')
    .replace(escapes, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())

const escapes = /(?:%[\da-f]{2})+/gi

const textOf = (body: Uint8Array): string | undefined => {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
  return Buffer.compare(Buffer.from(text), body) === 0 ? text : undefined
}
