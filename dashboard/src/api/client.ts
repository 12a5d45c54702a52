import { foreignAnswer } from './foreign-answer.ts'
import { asOf, asOfRoutes, noted, type Past } from './past.ts'
import type { components, paths } from './schema.ts'

export type Problem = components['schemas']['Problem']

/** The server's no, or that it did not answer: `problem.detail` is a sentence for people. */
export class Refused extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

type Success<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

type Readable = {
  [P in keyof paths]: paths[P] extends { get: infer Operation }
    ? [Success<Operation>] extends [never]
      ? never
      : P
    : never
}[keyof paths]
type Writable = {
  [P in keyof paths]: paths[P] extends { post: infer Operation }
    ? [Success<Operation>] extends [never]
      ? never
      : P
    : never
}[keyof paths]

export type Answer<P extends Readable> = paths[P] extends { get: infer Operation }
  ? Success<Operation>
  : never
type Outcome<P extends Writable> = paths[P] extends { post: infer Operation } ? Success<Operation> : never

type Part<Operation, Name extends string> = Operation extends { parameters: infer Parameters }
  ? Name extends keyof Parameters
    ? Parameters[Name]
    : undefined
  : undefined
type Body<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Json } } }
  ? Json
  : undefined

export interface Asking<P extends Readable> {
  readonly path?: paths[P] extends { get: infer Operation } ? Part<Operation, 'path'> : never
  readonly query?: paths[P] extends { get: infer Operation } ? Part<Operation, 'query'> : never
}

interface Telling<P extends Writable> {
  readonly path?: paths[P] extends { post: infer Operation } ? Part<Operation, 'path'> : never
  readonly body?: paths[P] extends { post: infer Operation } ? Body<Operation> : never
  /** Sent again with the same key it has its effect once. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer, and when it holds: when the server gave it, or the moment of the past. */
export interface Answered<Data> {
  readonly data: Data
  readonly at: Date
}

export type { Readable, Writable }

export const get = async <P extends Readable>(
  path: P,
  asking: Asking<P> = {},
  signal?: AbortSignal,
): Promise<Answered<Answer<P>>> => {
  const past = noted(path, signal)
  const response = await answered(questionAt(path, asking, past), {
    headers: { accept: 'application/json' },
    ...(signal && { signal }),
  })
  const now = new Date(response.headers.get('date') ?? Date.now())
  return { data: (await response.json()) as Answer<P>, at: past && asOfRoutes.has(path) ? past.time : now }
}

export const post = async <P extends Writable>(path: P, telling: Telling<P> = {}): Promise<Outcome<P>> => {
  const { body, key, headers } = telling
  const response = await answered(addressOf(path, telling.path), {
    method: 'POST',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as Outcome<P>
}

/** The address of a question, asked about the past that is shown where that can be. */
export const questionAt = <P extends Readable>(path: P, asking: Asking<P>, past: Past | undefined): string =>
  addressOf(path, asking.path, asOf(path, asking.query, past))

/** The address of a route with its parameters filled in. */
export const addressOf = (path: string, inPath: unknown = {}, query: unknown = {}): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((inPath as Record<string, unknown>)[name])),
  )
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query as Record<string, unknown>))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== '') asked.append(name, String(one))
  return asked.size === 0 ? filled : `${filled}?${asked}`
}

let isLeaving = false

/**
 * The session ends. Where the person signed in is next, to sign out there as well; else the page that lets people in.
 * Rejects with `Refused`.
 */
export const leave = async (): Promise<void> => {
  // What else the page asks is answered with 401 from now on, and may be so before this is: nothing else leads away.
  isLeaving = true
  try {
    const response = await answered('/session', { method: 'DELETE' })
    const { leads } = (await response.json()) as { readonly leads: string | null }
    location.assign(leads ?? '/enter')
  } catch (error) {
    isLeaving = false
    throw error
  }
}

/** Rejects with `Refused`. */
export const answered = async (address: string, asked: RequestInit): Promise<Response> => {
  const response = await fetch(address, { ...asked, credentials: 'same-origin' }).catch((error: unknown) => {
    if (asked.signal?.aborted) throw error
    throw new Refused(noAnswer)
  })
  if (response.ok) return response
  throw await refusedBy(response)
}

/** Why an answer is none. Without a session the page that asks for the token is next. */
export const refusedBy = async (response: Response): Promise<Refused> => {
  if (response.status === 401) askForToken()
  return new Refused(await problemIn(response))
}

const problemIn = async (response: Response): Promise<Problem> => {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
  if (isProblem) return (await response.json()) as Problem
  const detail = foreignAnswer(response.status, response.statusText)
  return { ...noAnswer, status: response.status, code: 'not-fonds', detail }
}

export const noAnswer: Problem = {
  type: 'urn:fonds:problem:no-answer',
  title: 'No answer',
  status: 503,
  code: 'no-answer',
  detail: 'the server does not answer; what is shown is as of when it last did',
}

/** The page that asks for the token leads back here. */
const askForToken = (): void => {
  if (isLeaving) return
  const back = location.pathname + location.search
  location.assign(`/enter?to=${encodeURIComponent(back)}`)
}
