import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { type Either, right } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { BodySpec, ParameterSpec, RouteSpec } from '../../app/documents/route-spec.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FormPart } from '../../workflows/intake.ts'
import type { Caller } from './caller.ts'
import type { DetailedProblem } from './refuse.ts'

/** A request whose parameters and body its route's codecs have decoded. */
export interface ApiRequest<Parameters = Readonly<Record<string, unknown>>, Body = unknown> {
  readonly parameters: Parameters
  readonly body: Body
  /** The body's original bytes. */
  readonly bytes: Uint8Array
  /** Parts of a form, on routes that accept one. */
  readonly parts?: AsyncIterable<FormPart>
  /** The body as it arrives, on routes that accept a stream. */
  readonly incoming?: AsyncIterable<Uint8Array>
  readonly method: string
  /** Path and query, as they were sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly caller: Caller
  /** Aborted when the client disconnects, or when the server closes. */
  readonly signal: AbortSignal
}

export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly body: string | Buffer | Readable
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** For a stream: headers that are known when it has ended. */
  readonly trailers?: Readonly<Record<string, () => string>>
  /** The query parameters of the next page, if there is one. */
  readonly next?: Readonly<Record<string, string | number | bigint>> | undefined
}

export type Handled = Either<DetailedProblem, Reply>

/** Limits of a form. */
export interface FormLimits {
  readonly maxFiles: number
  /** A client that sends nothing for so long is refused. */
  readonly stallMillis: number
  readonly clock: Clock
}

/** A route: its spec, and its handler. */
export interface Route {
  readonly spec: RouteSpec
  /** It accepts a form (multipart/form-data), part by part. */
  readonly form?: FormLimits
  /** It reads its body as it arrives. */
  readonly takesStream?: true
  readonly handle: (request: ApiRequest) => Handled | Promise<Handled>
}

type ValueOf<P extends ParameterSpec> = P extends { readonly in: 'path' } | { readonly required: true }
  ? t.TypeOf<P['codec']>
  : t.TypeOf<P['codec']> | undefined

type ParametersOf<Spec extends RouteSpec> = {
  readonly [P in Spec['parameters'][number] as P['name']]: ValueOf<P>
}

type BodyOf<Spec extends RouteSpec> = Spec extends { readonly requestBody: infer Body extends BodySpec }
  ? t.TypeOf<Body['codec']>
  : undefined

/** Types the handler by the spec's codecs; the result no longer has those types. */
export const route = <const Spec extends RouteSpec>(
  spec: Spec,
  handle: (request: ApiRequest<ParametersOf<Spec>, BodyOf<Spec>>) => Handled | Promise<Handled>,
): Route => ({ spec, handle }) as unknown as Route

/** Encodes revisions, positions and offsets, which are 64-bit integers, as text: JSON has none. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))

export const json = (value: unknown, more: Partial<Reply> = {}): Handled =>
  right({ status: 200, contentType: 'application/json', body: jsonText(value), ...more })

export const text = (body: string, contentType: string, more: Partial<Reply> = {}): Handled =>
  right({ status: 200, contentType, body, ...more })

/** The connection ends with the stream. */
export const stream = (body: Readable, contentType: string): Handled =>
  right({ status: 200, contentType, body, headers: { 'cache-control': 'no-cache', connection: 'close' } })
