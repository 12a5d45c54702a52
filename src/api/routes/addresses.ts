import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { BodySpec, ResponseSpec } from '../../app/documents/route-spec.ts'
import { sealedActor } from '../../app/sealed-by.ts'
import type { AddressAnswer, HttpAddress } from '../../workflows/http-address.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import type { ApiContext } from '../context.ts'
import { refuse } from '../http/refuse.ts'
import { preferred } from '../http/representation.ts'
import { type Reply, type Route, route } from '../http/route.ts'

/** Addresses that are no questions: those that other programs expect, and bytes. */
export const addressRoutes = ({ system }: ApiContext): readonly Route[] =>
  system.workflows.flatMap((workflow) =>
    (workflow.addresses ?? []).map((address) => addressRoute(system, workflow, address)),
  )

const addressRoute = (system: ApiContext['system'], { name }: Workflow, address: HttpAddress): Route => {
  const { method, path, operationId, summary, description, parameters, body, refusals } = address
  const serving = route(
    {
      method,
      path,
      operationId,
      summary,
      description,
      tags: [name],
      parameters,
      ...(body && { requestBody: bodySpec(body) }),
      ...(address.ignoresUnknown && { ignoresUnknown: true }),
      responses: Object.fromEntries(
        Object.entries(address.responses).map(([status, response]) => [status, responseSpec(response)]),
      ),
      problems: Object.entries(refusals).map(([code, { status, description }]) => ({
        status,
        code,
        description,
      })),
      ...((address.writes || method !== 'get') && { permission: 'operate' }),
    },
    async ({ method, url, parameters, headers, caller, signal, incoming = nothing }) => {
      const query = new URLSearchParams(queryOf(url))
      const asked = {
        method,
        path: url.replace(/\?.*/s, ''),
        parameters,
        query,
        headers,
        body: incoming,
        signal,
        ...(caller.person && { actor: await sealedActor(system, caller.person.reference) }),
      }
      const answer = await address.answer(system, asked)
      if (!isLeft(answer)) return right(replyOf(answer.right, headers['accept-encoding']?.toString()))
      const { code, message, path } = answer.left
      return refuse(refusals[code]?.status ?? 400, code, message, path === undefined ? {} : { path })
    },
  )
  return body ? { ...serving, takesStream: true } : serving
}

const bodySpec = ({ description, contentTypes }: NonNullable<HttpAddress['body']>): BodySpec => {
  const [first = 'application/octet-stream', ...others] = contentTypes
  return { description, codec: t.string, contentType: first, others: representations(others) }
}

const responseSpec = ({ description, contentTypes }: HttpAddress['responses'][number]): ResponseSpec => {
  const [first, ...others] = contentTypes
  return { description, contentType: first, others: representations(others) }
}

const representations = (contentTypes: readonly string[]) =>
  contentTypes.map((contentType) => ({ contentType }))

const queryOf = (url: string): string => {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark)
}

const replyOf = (answer: AddressAnswer, acceptEncoding: string | undefined): Reply => {
  const body = bodyOf(answer)
  const { isCompressed, headers = {}, ...reply } = answer
  if (!isCompressed || !(body instanceof Readable)) return { ...reply, headers, body }
  const varying = { ...headers, vary: 'accept-encoding' }
  if (acceptEncoding === undefined || preferred(acceptEncoding, ['gzip']) === undefined)
    return { ...reply, headers: varying, body }
  // An error on the way destroys the body, and ends the connection.
  const gzipped = pipeline(body, createGzip(), () => {})
  return { ...reply, headers: { ...varying, 'content-encoding': 'gzip' }, body: gzipped }
}

const bodyOf = ({ body }: AddressAnswer): string | Buffer | Readable => {
  if (typeof body === 'string' || body instanceof Readable) return body
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return Readable.from(body, { objectMode: false })
}

const nothing: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: async function* () {} }
