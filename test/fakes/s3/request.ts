import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/** A request as the stub understands it. A hook may change its query and its headers before it is answered. */
export interface S3Request {
  readonly kind: RequestKind
  readonly method: string
  /** Empty for the list of buckets. */
  readonly bucket: string
  /** Empty where the bucket itself is asked. */
  readonly key: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The body, without the frames of aws-chunked. */
  readonly body: Buffer
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export type RequestKind = (typeof kinds)[number][0]

/** Each kind by its method, whether it names a key, and the parameter that tells it from others. The first that fits. */
const kinds = [
  ['ListBuckets', 'GET', 'service'],
  ['CreateUpload', 'POST', 'key', 'uploads'],
  ['CompleteUpload', 'POST', 'key', 'uploadId'],
  ['RestoreObject', 'POST', 'key', 'restore'],
  ['UploadPart', 'PUT', 'key', 'uploadId'],
  ['AbortUpload', 'DELETE', 'key', 'uploadId'],
  ['ListParts', 'GET', 'key', 'uploadId'],
  ['HeadObject', 'HEAD', 'key'],
  ['GetObject', 'GET', 'key'],
  ['PutObject', 'PUT', 'key'],
  ['DeleteObject', 'DELETE', 'key'],
  ['DeleteObjects', 'POST', 'bucket', 'delete'],
  ['ListUploads', 'GET', 'bucket', 'uploads'],
  ['ListVersions', 'GET', 'bucket', 'versions'],
  ['GetVersioning', 'GET', 'bucket', 'versioning'],
  ['PutVersioning', 'PUT', 'bucket', 'versioning'],
  ['GetLocation', 'GET', 'bucket', 'location'],
  ['ListObjects', 'GET', 'bucket', 'list-type'],
  ['HeadBucket', 'HEAD', 'bucket'],
  ['CreateBucket', 'PUT', 'bucket'],
  ['Other', '', ''],
] as const

/** Sub-resources that are not answered as if their parameter were not there. */
const others = ['acl', 'attributes', 'tagging', 'policy', 'inventory', 'retention', 'object-lock']

/** The path is read as it came: `a//b` and `a/../b` are keys of their own. */
export const requestOf = (
  request: IncomingMessage,
  body: Buffer,
  isBucket: (name: string) => boolean,
): S3Request => {
  const [path = '/', search = ''] = (request.url ?? '/').split(/\?(.*)/s)
  const query = new URLSearchParams(search)
  const host = (request.headers.host ?? '').split('.')[0] ?? ''
  const isVirtualHost = isBucket(host)
  const rest = path.slice(1)
  const slash = rest.indexOf('/')
  const bucket = isVirtualHost ? host : decoded(slash < 0 ? rest : rest.slice(0, slash))
  const key = isVirtualHost ? decoded(rest) : slash < 0 ? '' : decoded(rest.slice(slash + 1))
  if (Buffer.byteLength(key) > 1024) throw new Refusal(400, 'KeyTooLongError', 'Your key is too long')
  const method = request.method ?? 'GET'
  const scope = bucket === '' ? 'service' : key === '' ? 'bucket' : 'key'
  return { kind: kindOf(method, scope, query), method, bucket, key, query, headers: request.headers, body }
}

const kindOf = (method: string, scope: string, query: URLSearchParams): RequestKind => {
  if (others.some((name) => query.has(name))) return 'Other'
  const found = kinds.find(
    ([, ofMethod, ofScope, parameter]) =>
      ofMethod === method && ofScope === scope && (parameter === undefined || query.has(parameter)),
  )
  return found?.[0] ?? 'Other'
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal(400, 'InvalidURI', "Couldn't parse the specified URI.")
  }
}
