import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { v5 } from 'uuid'
import type { PayloadDigest } from '../../../domain/ingest/payload.ts'
import type { Submission, SubmittedPayload } from '../../../domain/ingest/submission.ts'
import { batches } from '../../../domain/ingest/views.ts'
import { rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { Broker } from '../../../ports/broker.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { ContentEntry, ContentStore } from '../../../ports/content-store.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { submitBatch } from '../submit/submit.ts'
import type { Dropped } from './drop-listing.ts'
import type { DropPlace } from './drop-places.ts'

export interface DropTools {
  readonly broker: Broker
  readonly clock: Clock
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly store: Pick<ContentStore, 'stat'>
  /** Source of the messages. */
  readonly source: string
  readonly signal: AbortSignal
}

/** UUIDv5 namespace of batches that were dropped. */
const namespace = '5a1c3cf6-7f0b-5a56-9d0d-6f6f5b1b8c11'

const maxQueried = 500

interface Submitted {
  readonly count: number
  /** Why files could not be described: they are tried again. */
  readonly reasons: readonly string[]
}

/**
 * Submits what no batch has yet. The batch follows from address and version: other processes, and
 * this one after a restart, submit the same one, which has no second effect. Throws `UnavailableError`.
 */
export const submitDrops = async (
  { profile, address }: DropPlace,
  dropped: readonly Dropped[],
  tools: DropTools,
): Promise<Submitted> => {
  let count = 0
  const reasons: string[] = []
  for (let at = 0; at < dropped.length; at += maxQueried) {
    const some = dropped.slice(at, at + maxQueried).map((one) => ({
      one,
      batch: v5(`${address}/${one.name}${one.isFolder ? '/' : ''}\n${one.version}`, namespace),
    }))
    const known = knownAmong(
      some.map(({ batch }) => batch),
      tools,
    )
    for (const { one, batch } of some) {
      if (known.has(batch)) continue
      tools.signal.throwIfAborted()
      const payload = await payloadOf(address, one, tools)
      if (!payload) continue
      if (isLeft(payload)) {
        reasons.push(payload.left)
        continue
      }
      // Depositors may write to the bucket: they are strangers here.
      const submission: Submission = {
        profile,
        submitter: address,
        payload: payload.right,
        mode: 'add',
        foreign: true,
      }
      await submitBatch(tools, batch, submission, tools.source)
      count += 1
    }
  }
  return { count, reasons }
}

const knownAmong = (ids: readonly string[], { viewStore }: DropTools): ReadonlySet<string> =>
  new Set(
    rowsIfFolded(viewStore, batches, { where: [{ column: 'batch', is: 'in', value: ids }] }).map(
      ({ batch }) => batch,
    ),
  )

/** Undefined if the file is another one by now: the next listing has it. Left: why it cannot be described. */
const payloadOf = async (
  address: string,
  { name, entry }: Dropped,
  { store }: DropTools,
): Promise<Either<string, SubmittedPayload> | undefined> => {
  const url = `${address}/${name}`
  if (!entry) return right({ url: `${url}/` })
  const found = await store.stat(name)()
  if (isLeft(found) && found.left.kind !== 'NotFound')
    return left(`${url} cannot be described: ${'reason' in found.left ? found.left.reason : found.left.kind}`)
  if (isLeft(found) || found.right.version !== entry.version) return undefined
  const digest = digestIn(found.right)
  return right({ url, name, size: entry.size, ...(digest && { digest }) })
}

/** Tells a file that is overwritten before it is taken in from this one. */
const digestIn = ({ claims }: ContentEntry): PayloadDigest | undefined => {
  const claim = ['sha256', 'md5']
    .map((algorithm) => claims.find((one) => one.algorithm === algorithm))
    .find((one) => one !== undefined)
  return claim && { algorithm: claim.algorithm, value: claim.value }
}
