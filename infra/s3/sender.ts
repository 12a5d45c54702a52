import { createHash } from 'node:crypto'
import type { Dispatcher } from 'undici'
import type { Clock } from '../../src/ports/clock.ts'
import { type Answer, answerOf, lengthIn, textOf } from './answer.ts'
import type { CredentialSource } from './credentials.ts'
import type { DirectRequests } from './direct/requests.ts'
import { connectionFailure, failureIn, S3Error } from './errors.ts'
import { addressOf, escapePart, escapePath, findPlace, inRegion, type Place } from './place.ts'
import { countBytesRead, countRequest, type RequestCounts } from './request-counts.ts'
import { createRetryBudget, type Lesson, nextStep } from './retry.ts'
import { countsOfRoot } from './root-counts.ts'
import type { S3Settings } from './settings.ts'
import { createSigner, emptySha256 } from './sign.ts'

export interface Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Absent: the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Each chunk of the body of a GET is valid until the next is asked for. Undefined: for as long as it is held. */
  readonly lends?: 'much' | 'some' | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes requests until one succeeds and `use` has taken its answer. Throws `S3Error`, the reason of a signal that
 * aborts, and whatever else `use` throws.
 */
export type Send = <A>(call: Call, use: (answer: Answer) => A | Promise<A>) => Promise<A>

export interface SenderParts {
  readonly bucket: string
  readonly settings: S3Settings
  readonly connect: () => Promise<Dispatcher>
  readonly direct?: DirectRequests | undefined
  readonly credentials: CredentialSource
  readonly clock: Clock
}

const defaultAttempts = 6

export const createSender = (parts: SenderParts): Send => {
  const { bucket, settings, connect, direct, credentials, clock } = parts
  const signer = createSigner(credentials)
  const budget = createRetryBudget()
  const counts = countsIn(settings)
  /** The server's clock less ours, once it refused a request for that. */
  let skewMillis = 0
  let place: Promise<Place> | undefined
  let hasToken = false
  const now = () => Date.parse(clock.now())

  const once = async (call: Call, to: Place): Promise<Answer> => {
    const address = addressOf(bucket, call.key)
    const headers = {
      ...call.headers,
      host: to.port === undefined ? to.hostname : `${to.hostname}:${to.port}`,
      'x-amz-content-sha256': payloadHash(call),
    }
    const path = `${to.base}${call.key === undefined ? '' : `/${escapePath(call.key)}`}` || '/'
    const { method, query = {}, body } = call
    const unsigned = { ...to, method, path, query, headers }
    const signed = await signer.sign(unsigned, to.region, now() + skewMillis)
    hasToken = 'x-amz-security-token' in signed
    const asked = {
      origin: to.origin,
      path: path + queryOf(query),
      method,
      headers: signed,
      body: body ?? null,
      ...(call.signal && { signal: call.signal }),
    }
    for (const each of counts) countRequest(each, call)
    const { lends, signal } = call
    const response =
      direct && lends
        ? direct.get(to, { path: asked.path, headers: signed, isLarge: lends === 'much', signal })
        : (await connect()).request(asked)
    const answer = answerOf(address, call, await response)
    if (method === 'GET') for (const each of counts) countBytesRead(each, lengthIn(answer.headers) ?? 0)
    if (answer.status < 300) return answer
    throw failureIn(address, answer, await textOf(answer).catch(() => ''))
  }

  const whereabouts = (): Promise<Place> => {
    place ??= findPlace(bucket, settings)
    place.catch(() => {
      place = undefined
    })
    return place
  }

  const learn: Readonly<Record<Lesson, (error: S3Error) => void | Promise<void>>> = {
    clock: ({ hints }) => {
      skewMillis = (hints.serverTime ?? now()) - now()
    },
    credentials: () => credentials.renew(),
    region: async ({ hints: { region } }) => {
      const old = await whereabouts()
      if (region) place = Promise.resolve(inRegion(old, bucket, region, settings.pathStyle))
    },
  }

  return async (call, use) => {
    const learnt = new Set<Lesson>()
    let wasRepeated = false
    for (let requests = 1; ; requests++) {
      const to = await whereabouts()
      const signedAt = now() + skewMillis
      try {
        const result = await use(await once(call, to))
        budget.refill()
        return result
      } catch (thrown) {
        call.signal?.throwIfAborted()
        if (!isFailure(thrown)) throw thrown
        const failure = connectionFailure(addressOf(bucket, call.key), thrown)
        const error: S3Error = wasRepeated ? failure.asRepeated() : failure
        const maxRequests = settings.attempts ?? defaultAttempts
        const step = nextStep(
          error,
          { requests, maxRequests, learnt },
          { now: signedAt, hasToken, region: to.region },
        )
        if (step.kind === 'fail') throw error
        if (step.kind === 'learn') {
          learnt.add(step.lesson)
          await learn[step.lesson](error)
          continue
        }
        if (!budget.spend()) throw error
        wasRepeated ||= error.status === 0 || error.status >= 500 || error.status < 300
        await clock.sleep(step.millis, call.signal)
        call.signal?.throwIfAborted()
      }
    }
  }
}

const countsIn = ({ counts, countsByRoot, root }: S3Settings): readonly RequestCounts[] => {
  const ofRoot = countsByRoot && root !== undefined ? countsOfRoot(countsByRoot, root) : undefined
  return [...(counts ? [counts] : []), ...(ofRoot ? [ofRoot] : [])]
}

/** Failures of the request: ours, or of the connection. Anything else is a bug, or the caller's own exception. */
const isFailure = (thrown: unknown): boolean => {
  if (thrown instanceof S3Error) return true
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' && !/^(UND_)?ERR_INVALID/.test(code)
}

/** Hex. A checksum that is sent with the body is the same digest. */
const payloadHash = ({ headers, body }: Call): string => {
  if (!body) return emptySha256
  const checksum = headers?.['x-amz-checksum-sha256']
  return checksum === undefined
    ? createHash('sha256').update(body).digest('hex')
    : Buffer.from(checksum, 'base64').toString('hex')
}

const queryOf = (query: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(query).map(([name, value]) => `${escapePart(name)}=${escapePart(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
