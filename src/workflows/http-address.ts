import type { IncomingHttpHeaders } from 'node:http'
import type { Either } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { WorkflowContext } from './workflow-context.ts'

/**
 * An address that is no question: one that other systems' programs expect, or bytes of ours. The server adds the parts
 * that all routes share: the guard, the OpenAPI document, a signal, problems.
 */
export interface HttpAddress<Code extends string = string> {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** From the root, with names in braces: `/warc/{name}`. */
  readonly path: string
  /** Its name in generated clients: it never changes. */
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly AddressParameter[]
  /** Its request body; absent: none. It arrives as a stream, of any length. */
  readonly body?: { readonly description: string; readonly contentTypes: readonly string[] }
  /** Ignores unknown query parameters, as the servers that it replaces do. Absent: they are refused. */
  readonly ignoresUnknown?: true
  /** It writes: web pages of other sites may not call it. */
  readonly writes?: true
  /** By status code. */
  readonly responses: Readonly<Record<number, AddressResponse>>
  readonly refusals: Readonly<Record<Code, AddressRefusalSpec>>
  /** Throws `UnavailableError`. */
  answer(
    context: WorkflowContext,
    request: AddressRequest,
  ): Promise<Either<AddressRefusal<NoInfer<Code>>, AddressAnswer>>
}

interface AddressParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  /** Codec of its text, or of a list of texts if it may occur several times. */
  readonly codec: t.Mixed
  readonly required?: boolean
  readonly example?: unknown
}

interface AddressResponse {
  readonly description: string
  /** All content types that it may have. */
  readonly contentTypes: readonly [string, ...string[]]
}

interface AddressRefusalSpec {
  readonly status: 400 | 403 | 404 | 409 | 413 | 451 | 502 | 503 | 507
  readonly description: string
}

export interface AddressRequest {
  /** A `get` address gets HEAD requests as well: the response is the same, and a body need not be read for it. */
  readonly method: string
  /** As it was sent: percent-encoded. */
  readonly path: string
  /** Decoded by their codecs. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The query string, parsed. */
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Reference of who signed in; absent where nobody did. */
  readonly actor?: string
  /** The body as it arrives; empty if the address takes none. Throws when the request breaks off. */
  readonly body: AsyncIterable<Uint8Array>
  /** Aborts when the client disconnects, or when the server closes. */
  readonly signal: AbortSignal
}

/** A refusal: a sentence with what is wrong, and what to do. */
interface AddressRefusal<Code extends string> {
  readonly code: Code
  readonly message: string
  /** The wrong parameter. */
  readonly path?: string
}

export interface AddressAnswer {
  readonly status: number
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  /** For a stream: headers that are known when it has ended; an empty one means nothing. */
  readonly trailers?: Readonly<Record<string, () => string>>
  /** For a stream: compresses it for clients that accept that. */
  readonly isCompressed?: boolean
  /**
   * A text gets an ETag, and is compressed for clients that accept that; bytes are sent as they are. A stream is read
   * as fast as the client reads it, and ended by its `return` when the client disconnects; an error of it ends the
   * connection.
   */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array | string>
}

export const httpAddress = <const Code extends string>(address: HttpAddress<Code>): HttpAddress =>
  address as unknown as HttpAddress
