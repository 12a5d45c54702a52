import { type HttpResponse, PermanentFailure, TransientFailure } from '@fonds/download'
import { inTries, rangeOf } from '@fonds/download/http'
import type { ContentEntry, ContentStore } from '../../../src/ports/content-store.ts'
import { rangeIn } from '../byte-range.ts'
import { changed } from '../failed.ts'
import { type Asking, askOnce } from './asking.ts'
import { conditionsOf, type Resource, resourceIn } from './resource.ts'

type ReadOptions = Parameters<ContentStore['read']>[1]
type OnChunk = Parameters<ContentStore['read']>[2]

/** A resource under the path that it has in a store. */
export interface Place {
  readonly path: string
  readonly address: string
}

export const entryOf = (path: string, { size, version, modifiedAt }: Resource): ContentEntry => ({
  path,
  size,
  version,
  modifiedAt,
  claims: [],
})

/** Requests the first byte: any server answers that, and states the total length. Throws `DownloadFailure`. */
export const statResource = ({ address }: Place, asking: Asking, signal: AbortSignal): Promise<Resource> => {
  const ask = (headers: Readonly<Record<string, string>>) =>
    askOnce(address, headers, asking, signal, async (answer) => {
      const resource = resourceIn(answer, address)
      // Read, it leaves the connection to the next request.
      if (answer.status === 206 || resource.size === 0) for await (const _ of answer.body);
      return { resource, status: answer.status }
    })
  return inTries(
    address,
    async () => {
      const first = await ask({ range: 'bytes=0-0' })
      // No byte is the first one: the refusal has the length alone.
      return (first.status === 416 ? await ask({}) : first).resource
    },
    asking,
    { signal, progress: () => {} },
  )
}

/** Bytes from which on an attempt does not count as failed. */
const muchProgress = 1024 * 1024

/**
 * Reads a range by as few requests as the server allows: what broke off is asked for from the byte reached on, of the
 * same version. Throws `Failed`, `DownloadFailure`, the reason of the signal, and whatever `onChunk` throws.
 */
export const readResource = async (
  place: Place,
  options: ReadOptions,
  asking: Asking,
  signal: AbortSignal,
  onChunk: OnChunk,
): Promise<{ readonly bytes: number; readonly version: string }> => {
  const { path, address } = place
  const isPart = options.from !== undefined || options.to !== undefined
  // Throws for offsets that are none.
  const asked = rangeIn(Number.MAX_SAFE_INTEGER, options)
  let resource: Resource | undefined
  let { from: at } = asked
  let before = at

  const see = async (seen: Resource): Promise<void> => {
    if (seen.version !== (resource?.version ?? options.version ?? seen.version)) throw changed(path)
    if (resource) return
    resource = seen
    await options.onEntry?.(entryOf(path, seen))
  }
  const attempt = async (): Promise<void> => {
    before = at
    const version = resource?.version ?? options.version
    // Without a range, a server that has none is of use, too.
    const range = isPart || at > 0 ? { range: rangeHeader(at, asked.to) } : {}
    if (asked.to <= asked.from) return see(await statResource(place, asking, signal))
    const headers = { ...range, ...conditionsOf(version) }
    const isBehindEnd = await askOnce(address, headers, asking, signal, async (answer, watch) => {
      if (answer.status === 412) throw changed(path)
      const seen = resourceIn(answer, address)
      if (answer.status === 416) return true
      await see(seen)
      const { to } = rangeIn(seen.size, options)
      failUnlessFrom(answer, at)
      for await (const chunk of answer.body) {
        watch.pause()
        const wanted = chunk.subarray(0, to - at)
        at += wanted.length
        if (wanted.length > 0) await onChunk(wanted)
        signal.throwIfAborted()
        if (at >= to && answer.status === 200 && to < seen.size) return false
        watch.resume()
      }
      if (at < to) throw new TransientFailure(`broke off after ${at} of ${to} bytes`)
      return false
    })
    if (isBehindEnd) await see(await statResource(place, asking, signal))
  }
  await inTries(
    address,
    attempt,
    { ...asking, hasAdvanced: () => at - before >= muchProgress },
    { signal, progress: () => {} },
  )
  const { version } = resource!
  if ((await statResource(place, asking, signal)).version !== version) throw changed(path)
  return { bytes: at - Math.min(asked.from, at), version }
}

const rangeHeader = (from: number, to: number): string =>
  `bytes=${from}-${to === Number.MAX_SAFE_INTEGER ? '' : to - 1}`

/** Throws unless the body begins at that byte of the whole. */
const failUnlessFrom = (answer: HttpResponse, at: number): void => {
  if (answer.status === 206 ? rangeOf(answer)?.start === at : at === 0) return
  if (answer.status === 206)
    throw new TransientFailure(`sent another range than was asked for, from byte ${at} on`)
  throw new PermanentFailure(
    `is on a server that does not know ranges of bytes: it sends the whole, where bytes from ${at} on were asked for; have a server offer it that knows them`,
  )
}
