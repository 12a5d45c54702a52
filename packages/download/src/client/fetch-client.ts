import { openAsBlob } from 'node:fs'
import { Agent, fetch } from 'undici'
import { failIfInner, InnerAddress, lookupPublic } from '../addresses/inner-addresses.ts'
import { PermanentFailure, TransientFailure } from '../failures.ts'
import type { HttpClient } from '../http-client.ts'
import { reasonOf } from './reasons.ts'

/**
 * Makes requests in this thread. An exception within the HTTP library that cannot be caught ends the thread:
 * a process that must survive any response needs threads for it.
 */
export const createFetchClient = (): HttpClient => {
  const anyAgent = new Agent()
  /** Its connections are not shared with other requests. */
  const publicAgent = new Agent({ connect: { lookup: lookupPublic } })

  const ask: HttpClient['ask'] = async (job, { signal, begun }) => {
    const { address, bodyFile, publicOnly = false, ...asked } = job
    const enough = new AbortController()
    try {
      begun()
      if (publicOnly) failIfInner(new URL(address).hostname)
      const { status, headers, body } = await fetch(address, {
        ...asked,
        ...(bodyFile !== undefined && { body: await openAsBlob(bodyFile) }),
        redirect: 'manual',
        signal: AbortSignal.any([signal, enough.signal]),
        dispatcher: publicOnly ? publicAgent : anyAgent,
      })
      return {
        status,
        headers: new Headers([...headers]),
        body: bodyOf(body ?? []),
        [Symbol.asyncDispose]: async () => enough.abort(),
      }
    } catch (error) {
      throw failureOf(error)
    }
  }

  return {
    ask,
    get: (address, headers, asking) => ask({ address, headers }, asking),
    close: async () => void (await Promise.all([anyAgent.destroy(), publicAgent.destroy()])),
  }
}

async function* bodyOf(
  chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[],
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw failureOf(error)
  }
}

const failureOf = (error: unknown): Error => {
  const inner = [error, (error as Error).cause].find((one) => one instanceof InnerAddress)
  return inner
    ? new PermanentFailure(inner.message, { cause: error })
    : new TransientFailure(reasonOf(error), { cause: error })
}
