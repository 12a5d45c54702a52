import { hostname } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import { unavailable } from '../../async/unavailable.ts'
import { bucketUseDecider } from '../../domain/fixity/bucket-use/decide.ts'
import { bucketUseStream } from '../../domain/fixity/bucket-use/events.ts'
import { stores } from '../../domain/fixity/views.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { MINUTE } from '../../domain/kernel/time.ts'
import type { MeteredSpan } from '../../ports/bucket-meter.ts'
import type { WorkflowContext } from '../workflow-context.ts'

type Context = Pick<WorkflowContext, 'adapters' | 'viewStore' | 'execute' | 'clock' | 'log'>

const interval = 5 * MINUTE

/**
 * Records what this process asked of the buckets of stores and the log does not have yet. Two stores with one root: the
 * requests count for the first. Never rejects: what cannot be recorded is tried again at the next call.
 */
export const recordBucketUse = async (
  context: Context,
  /** Stores by root, beside those that are known by it. */
  also: ReadonlyMap<string, string> = new Map(),
): Promise<void> => {
  const { bucketMeter, bucketTotals } = context.adapters.fixity
  // Most processes read folders alone.
  if (Object.values(bucketTotals().requests).every((made) => made === 0)) return
  for (const [root, store] of new Map([...also, ...storesByRoot(context)])) {
    const span = bucketMeter.span(root)
    if (!span) continue
    try {
      await record(context, store, span)
      bucketMeter.markRecorded(root, span.id)
    } catch (error) {
      context.log.warn({ err: error, store }, 'the requests to the bucket of a store are not recorded yet')
    }
  }
}

/** Does work, and records meanwhile what it asks of the buckets of stores: every five minutes, and when it ends. */
export const recordingBucketUse = async <A>(
  context: Context,
  work: () => Promise<A>,
  also?: ReadonlyMap<string, string>,
): Promise<A> => {
  const stop = startRecordingBucketUse(context, also)
  try {
    return await work()
  } finally {
    await stop()
  }
}

/** Returns a function that ends it, once the last minutes are recorded. */
export const startRecordingBucketUse = (
  context: Context,
  also?: ReadonlyMap<string, string>,
): (() => Promise<void>) => {
  const stopping = new AbortController()
  const { signal } = stopping
  const goOn = async (): Promise<void> => {
    while (!signal.aborted) {
      await context.clock.sleep(interval, signal)
      await recordBucketUse(context, also)
    }
  }
  const done = goOn()
  return async () => {
    stopping.abort()
    await done
  }
}

const storesByRoot = ({ viewStore }: Context): ReadonlyMap<string, string> => {
  const byRoot = new Map<string, string>()
  for (const { store, root } of rowsIfFolded(viewStore, stores, { orderBy: [{ column: 'store' }] }))
    if (root !== null && isBucketAddress(root) && !byRoot.has(root)) byRoot.set(root, store)
  return byRoot
}

const record = async ({ execute }: Context, store: string, span: MeteredSpan): Promise<void> => {
  const { id, from, to, requests, bytesRead: read, bytesWritten: written } = span
  const outcome = await execute(bucketUseDecider, {
    stream: bucketUseStream(store, to),
    command: {
      type: 'CountRequests',
      use: { store, from, to, requests, bytes: { read, written } },
      actor: `fixity@${hostname()}/${process.pid}`,
      at: to,
    },
    causationId: id,
    correlationId: id,
  })
  if (E.isLeft(outcome)) throw unavailable(outcome.left, 'the requests to buckets')
}
