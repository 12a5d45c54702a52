import { discard, drain, lengthIn } from './answer.ts'
import { invalidAnswer } from './errors.ts'
import { objectIn, type S3Object } from './objects.ts'
import type { Send } from './sender.ts'

export interface HeadOptions {
  readonly versionId?: string | undefined
  /** Asks for the size of one part too. Servers that ignore it give that of the object. */
  readonly partNumber?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface GetOptions {
  readonly versionId?: string | undefined
  /** An ETag: fails with `PreconditionFailed` (412) where the object has another. */
  readonly ifMatch?: string | undefined
  /** Offset of the first byte. Fails with `InvalidRange` (416) at the end of the object or past it. */
  readonly from?: number | undefined
  /** Offset behind the last byte. */
  readonly to?: number | undefined
  /** Each chunk is valid until the next is asked for; `much`: so much is to come that it waits for no connection. */
  readonly lends?: 'much' | 'some' | undefined
  readonly signal?: AbortSignal | undefined
}

/** All bytes of it are of this one version, also if the key is overwritten meanwhile. */
export interface S3Content {
  /** Its size is that of the whole object. */
  readonly object: S3Object
  /**
   * To be read, or left by `return`. Throws `S3Error` where the connection breaks or bytes are missing: no retry is
   * made once a body has been given.
   */
  readonly body: AsyncIterable<Uint8Array>
  /** All that `body` gives, where it came at once. */
  readonly whole?: Uint8Array | undefined
}

/** Asks for checksums, which HEAD and GET otherwise leave out. */
const checksumMode = { 'x-amz-checksum-mode': 'ENABLED' }

/** Throws `S3Error`: answers to HEAD have no code, so that a missing key and a missing bucket are both `HTTP404`. */
export const headObject = (send: Send, key: string, options: HeadOptions = {}): Promise<S3Object> => {
  const { versionId, partNumber, signal } = options
  const query = {
    ...(partNumber !== undefined && { partNumber: String(partNumber) }),
    ...(versionId !== undefined && { versionId }),
  }
  return send({ method: 'HEAD', key, query, headers: checksumMode, signal }, async (answer) => {
    const object = objectIn(key, await drain(answer))
    const partSize = partNumber === undefined ? undefined : lengthIn(answer.headers)
    return partSize === undefined ? object : { ...object, partSize }
  })
}

export const getObject = (send: Send, key: string, options: GetOptions = {}): Promise<S3Content> => {
  const { versionId, ifMatch, from = 0, to, lends, signal } = options
  const isRange = from > 0 || to !== undefined
  if (to !== undefined && to <= from) throw new RangeError(`an empty range of ${key}: ${from} to ${to}`)
  const headers = {
    ...checksumMode,
    ...(isRange && { range: `bytes=${from}-${to === undefined ? '' : to - 1}` }),
    ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
  }
  return send(
    {
      method: 'GET',
      key,
      ...(versionId !== undefined && { query: { versionId } }),
      headers,
      lends,
      signal,
    },
    async (answer) => {
      try {
        const object = objectIn(key, answer)
        if (isRange) checkRange(answer.address, answer.headers['content-range'], from, to, object.size)
        return { object, body: answer.body, whole: answer.whole }
      } catch (error) {
        await discard(answer.body)
        throw error
      }
    },
  )
}

/** A server or proxy that does not take ranges gives other bytes than were asked for. */
const checkRange = (
  address: string,
  contentRange: string | undefined,
  from: number,
  to: number | undefined,
  size: number,
): void => {
  const wanted = `bytes ${from}-${Math.min(to ?? size, size) - 1}/${size}`
  if (contentRange !== wanted)
    throw invalidAnswer(address, `gave the range ${contentRange ?? 'of all bytes'}, not ${wanted}`)
}
