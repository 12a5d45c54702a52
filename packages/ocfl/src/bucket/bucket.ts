/*
 * The calls that a storage root in a bucket needs, whatever client makes them. Listings and reads see each write
 * that was answered before they began.
 */

export interface BucketObject {
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** Without quotation marks. */
  readonly etag: string
  /** Milliseconds of Unix time, by the server's clock. */
  readonly modifiedAt: number
}

export interface Conditions {
  /** Only if there is no such key. */
  readonly ifNoneMatch?: '*'
  /** Only if the key has this ETag. */
  readonly ifMatch?: string
}

/** A multipart upload: its bytes are visible once it is complete. */
export interface Upload {
  /** Parts are numbered from 1, and may be sent at once. */
  part(number: number, bytes: Uint8Array): Promise<void>
  complete(): Promise<void>
  abort(): Promise<void>
}

export interface OpenUpload {
  readonly key: string
  readonly id: string
}

/**
 * A bucket. Calls may be repeated by the client until they are answered, so a refused write may be the repeat of
 * one that was done. They throw `ConditionFailed`, and errors of the client.
 */
export interface Bucket {
  /** Pages of keys in the order of their bytes; those after `after`. */
  list(prefix: string, after?: string): AsyncIterable<readonly BucketObject[]>
  head(key: string): Promise<BucketObject | undefined>
  get(
    key: string,
  ): Promise<{ readonly object: BucketObject; readonly body: AsyncIterable<Uint8Array> } | undefined>
  /** Returns the ETag. */
  put(key: string, bytes: Uint8Array, conditions?: Conditions): Promise<string>
  upload(key: string): Promise<Upload>
  /** Multipart uploads that are neither complete nor aborted. */
  uploads(prefix: string): Promise<readonly OpenUpload[]>
  /** Does nothing if there is no such upload. */
  abortUpload(upload: OpenUpload): Promise<void>
  /** Does nothing if there is no such key. */
  delete(key: string): Promise<void>
}

/** The key is not as a condition demands, or another conditional write of it is under way. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed'
}

/** The server does not know conditions of writes. */
export class ConditionUnknown extends Error {
  override readonly name = 'ConditionUnknown'
}

const textEncoder = new TextEncoder()

export const bytesOf = (text: string): Uint8Array => textEncoder.encode(text)

export interface Text {
  readonly text: string
  readonly etag: string
  readonly modifiedAt: number
}

/** A short file as text; undefined if there is none. */
export const readText = async (bucket: Bucket, key: string): Promise<Text | undefined> => {
  const found = await bucket.get(key)
  if (!found) return undefined
  const pieces: Uint8Array[] = []
  for await (const piece of found.body) pieces.push(piece)
  const { etag, modifiedAt } = found.object
  return { text: Buffer.concat(pieces).toString('utf8'), etag, modifiedAt }
}

/** All keys below a prefix. */
export const keysBelow = async (bucket: Bucket, prefix: string): Promise<readonly BucketObject[]> => {
  const found: BucketObject[] = []
  for await (const page of bucket.list(prefix)) found.push(...page)
  return found
}

/**
 * Puts a file unless there is one. Returns the text of that one. Some servers refuse the condition over the mark
 * that a deleted key leaves in a versioned bucket, where nothing is to be read: then it is put without one.
 */
export const putIfMissing = async (
  bucket: Bucket,
  key: string,
  text: string,
): Promise<string | undefined> => {
  try {
    await bucket.put(key, bytesOf(text), { ifNoneMatch: '*' })
    return undefined
  } catch (error) {
    if (!(error instanceof ConditionFailed || error instanceof ConditionUnknown)) throw error
    const found = await readText(bucket, key)
    if (!found) await bucket.put(key, bytesOf(text))
    return found?.text
  }
}
