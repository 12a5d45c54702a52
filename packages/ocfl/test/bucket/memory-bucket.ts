import { createHash } from 'node:crypto'
import { type Bucket, type BucketObject, ConditionFailed, type Conditions } from '../../src/bucket/bucket.ts'

/** How a server differs from S3. */
export interface Habits {
  /** Deleted keys leave a mark over which `If-None-Match: *` is refused, as on versitygw with versioning. */
  readonly marks?: boolean
  /** Conditions are ignored. */
  readonly ignoresConditions?: boolean
}

interface Held {
  readonly bytes: Uint8Array
  readonly etag: string
  readonly modifiedAt: number
}

/** A bucket in memory: a server, which clients reach through `client`. */
export const memoryBucket = ({ marks = false, ignoresConditions = false }: Habits = {}) => {
  const held = new Map<string, Held>()
  const marked = new Set<string>()
  const uploads = new Map<string, { readonly key: string; readonly parts: Map<number, Uint8Array> }>()
  let ids = 0
  let now = 1_000_000

  const objectOf = (key: string): BucketObject | undefined => {
    const found = held.get(key)
    return found && { key, size: found.bytes.length, etag: found.etag, modifiedAt: found.modifiedAt }
  }
  const check = (key: string, { ifNoneMatch, ifMatch }: Conditions): void => {
    if (ignoresConditions) return
    if (ifNoneMatch && (held.has(key) || (marks && marked.has(key)))) throw new ConditionFailed('412')
    if (ifMatch !== undefined && held.get(key)?.etag !== ifMatch) throw new ConditionFailed('412')
  }
  const put = (key: string, bytes: Uint8Array, conditions: Conditions = {}): string => {
    check(key, conditions)
    const etag = createHash('md5').update(bytes).digest('hex')
    held.set(key, { bytes: Buffer.from(bytes), etag, modifiedAt: now })
    marked.delete(key)
    return etag
  }
  const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

  /** `call` is awaited before each request is done, and again before its answer is given. */
  const client = (call: (name: string, key: string) => Promise<void> = async () => {}): Bucket => {
    const asked = async <A>(name: string, key: string, work: () => A): Promise<A> => {
      await call(name, key)
      const answer = work()
      await call(`${name} answered`, key)
      return answer
    }
    return {
      list: async function* (prefix, after = '') {
        let from = after
        for (;;) {
          const page = await asked('list', prefix, () =>
            [...held.keys()]
              .filter((key) => key.startsWith(prefix) && byBytes(key, from) > 0)
              .sort(byBytes)
              .slice(0, pageSize)
              .map((key) => objectOf(key)!),
          )
          if (page.length > 0) yield page
          if (page.length < pageSize) return
          from = page.at(-1)!.key
        }
      },
      head: (key) => asked('head', key, () => objectOf(key)),
      get: (key) =>
        asked('get', key, () => {
          const bytes = held.get(key)?.bytes
          if (!bytes) return undefined
          const body = async function* () {
            yield bytes
          }
          return { object: objectOf(key)!, body: body() }
        }),
      put: (key, bytes, conditions) => asked('put', key, () => put(key, bytes, conditions)),
      upload: (key) =>
        asked('create', key, () => {
          ids += 1
          const id = `upload ${ids}`
          const parts = new Map<number, Uint8Array>()
          uploads.set(id, { key, parts })
          return {
            part: (number, bytes) => asked('part', key, () => void parts.set(number, Buffer.from(bytes))),
            complete: () =>
              asked('complete', key, () => {
                if (!uploads.delete(id)) throw new Error('NoSuchUpload')
                put(key, Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes)))
              }),
            abort: () => asked('abort', key, () => void uploads.delete(id)),
          }
        }),
      uploads: (prefix) =>
        asked('uploads', prefix, () =>
          [...uploads].filter(([, { key }]) => key.startsWith(prefix)).map(([id, { key }]) => ({ id, key })),
        ),
      abortUpload: ({ id, key }) => asked('abort', key, () => void uploads.delete(id)),
      delete: (key) =>
        asked('delete', key, () => {
          if (held.delete(key)) marked.add(key)
        }),
    }
  }

  return {
    client,
    /** Texts of all keys. */
    texts: (): ReadonlyMap<string, string> =>
      new Map(
        [...held]
          .sort(([a], [b]) => byBytes(a, b))
          .map(([key, { bytes }]) => [key, Buffer.from(bytes).toString('utf8')]),
      ),
    openUploads: () => uploads.size,
    damage: (key: string, text: string) => void put(key, Buffer.from(text)),
    remove: (key: string) => void held.delete(key),
    wait: (millis: number) => {
      now += millis
    },
  }
}

const pageSize = 7

export class Killed extends Error {
  override readonly name = 'Killed'
}

/** Kills the process at one moment of its calls: before one reaches the server, or before its answer does. */
export const killedAt = (moment: number) => {
  let moments = 0
  return {
    call: async (): Promise<void> => {
      moments += 1
      if (moments > moment) throw new Killed()
    },
    wasKilled: () => moments > moment,
  }
}
