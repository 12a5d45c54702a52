import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Algorithm, algorithms, checksum, headerOf, md5 } from './checksums.ts'
import { badDigest, Refusal } from './refusal.ts'

/** Takes the frames of aws-chunked away; what the trailer says becomes headers, as S3 treats it. */
export const unframed = (headers: IncomingHttpHeaders, body: Buffer): Buffer => {
  if (!String(headers['x-amz-content-sha256'] ?? '').startsWith('STREAMING-')) return body
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at)
    const length = Number.parseInt(body.toString('latin1', at, end), 16)
    if (end < 0 || Number.isNaN(length)) throw new Refusal(400, 'IncompleteBody', 'The chunks end too early')
    at = end + 2
    if (length === 0) {
      for (const line of body.toString('latin1', at).split('\r\n')) {
        const colon = line.indexOf(':')
        if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim()
      }
      break
    }
    chunks.push(body.subarray(at, at + length))
    at += length + 2
  }
  return Buffer.concat(chunks)
}

/** Checks every digest that the request names: what it says must be what came. */
export const checkDigests = (headers: IncomingHttpHeaders, body: Buffer): void => {
  const sha256 = String(headers['x-amz-content-sha256'] ?? '')
  if (/^[0-9a-f]{64}$/.test(sha256) && createHash('sha256').update(body).digest('hex') !== sha256)
    throw new Refusal(400, 'XAmzContentSHA256Mismatch', 'The provided x-amz-content-sha256 does not match')
  const contentMd5 = headers['content-md5']
  if (contentMd5 !== undefined && md5(body).toString('base64') !== contentMd5) throw badDigest('Content-MD5')
  for (const [algorithm, value] of Object.entries(namedChecksums(headers)))
    if (checksum(algorithm as Algorithm, body) !== value) throw badDigest(algorithm)
}

/** The checksums that a request names, by algorithm. More than one is refused, as AWS does. */
export const namedChecksums = (headers: IncomingHttpHeaders): Partial<Record<Algorithm, string>> => {
  const named = algorithms.filter((algorithm) => headers[headerOf(algorithm)] !== undefined)
  if (named.length > 1)
    throw new Refusal(
      400,
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    )
  return Object.fromEntries(named.map((algorithm) => [algorithm, String(headers[headerOf(algorithm)])]))
}

const kept = /^(content-(type|language|disposition)|cache-control|expires|x-amz-meta-.*)$/

/** Headers that belong to the object. `aws-chunked` is of the request, not of the object. */
export const objectHeaders = (headers: IncomingHttpHeaders): Record<string, string> => {
  const own = Object.entries(headers).filter(([name]) => kept.test(name))
  const encoding = (headers['content-encoding'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'aws-chunked')
    .join(',')
  return {
    'content-type': 'binary/octet-stream',
    ...Object.fromEntries(own.map(([name, value]) => [name, String(value).trim()])),
    ...(encoding === '' ? {} : { 'content-encoding': encoding }),
  }
}
