import type { FastifyRequest } from 'fastify'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { BodySpec, ParameterSpec, RouteSpec } from '../../app/documents/route-spec.ts'
import { explain, pathOf } from '../../domain/kernel/codecs.ts'
import { parseJson } from '../../domain/kernel/json-text.ts'
import { unknownField } from '../../domain/kernel/unknown-fields.ts'
import { type DetailedProblem, problem, refuse } from './refuse.ts'
import type { ApiRequest } from './route.ts'

type Decoded = Pick<ApiRequest, 'parameters' | 'body' | 'bytes'>

/** Decodes a request by its route's codecs. Left: a problem that names the field and what it expects. */
export const decodeRequest = (spec: RouteSpec, request: FastifyRequest): Either<DetailedProblem, Decoded> => {
  const stray = spec.ignoresUnknown ? undefined : strayParameter(spec, request)
  if (stray) return left(stray)
  const parameters: Record<string, unknown> = {}
  for (const parameter of spec.parameters) {
    const decoded = decodeParameter(parameter, given(parameter, request))
    if (isLeft(decoded)) return decoded
    parameters[parameter.name] = decoded.right
  }
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const body = decodeBody(spec.requestBody, request.headers['content-type'], bytes)
  return isLeft(body) ? body : right({ parameters, body: body.right, bytes })
}

/** Unknown parameters are rejected: a misspelt one would silently change the question. */
const strayParameter = (spec: RouteSpec, request: FastifyRequest): DetailedProblem | undefined => {
  const known = spec.parameters.filter((each) => each.in === 'query').map(({ name }) => name)
  const stray = Object.keys(request.query as object).find((name) => !known.includes(name))
  if (stray === undefined) return undefined
  const takes = known.length > 0 ? `it takes ${known.join(', ')}` : 'it takes none'
  return problem(400, 'unknown-parameter', `${stray}: is no parameter of this route; ${takes}`, {
    path: stray,
  })
}

const given = ({ name, in: where }: ParameterSpec, request: FastifyRequest): unknown => {
  if (where === 'header') return request.headers[name.toLowerCase()]
  const values = (where === 'path' ? request.params : request.query) as Record<string, unknown> | undefined
  // The router calls the rest of a path so.
  return values?.[name] ?? (where === 'path' ? values?.['*'] : undefined)
}

const decodeParameter = (
  { name, codec, required, in: where }: ParameterSpec,
  value: unknown,
): Either<DetailedProblem, unknown> => {
  if (value === undefined && where !== 'path' && !required) return right(undefined)
  const decoded = codec.validate(value, [{ key: name, type: codec, actual: value }])
  return isLeft(decoded) ? refuse(400, 'wrong-parameter', explain(decoded.left), { path: name }) : decoded
}

/** A body that comes in several forms is left to the handler. */
const decodeBody = (
  spec: BodySpec | undefined,
  contentType: string | undefined,
  bytes: Uint8Array,
): Either<DetailedProblem, unknown> => {
  return !spec || spec.others ? right(undefined) : decodeJson(spec.codec, contentType, bytes)
}

/** A body of JSON alone. Unknown fields are refused: a misspelt or misplaced one would silently change what is wanted. */
export const decodeJson = (
  codec: t.Mixed,
  contentType: string | undefined,
  bytes: Uint8Array,
): Either<DetailedProblem, unknown> => {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? ''))
    return refuse(
      415,
      'wrong-content-type',
      `content-type: is ${contentType ?? 'missing'}; send application/json`,
      { path: 'content-type' },
    )
  const json = parseJson(bytes)
  if (isLeft(json)) {
    const { reason, message, path } = json.left
    return refuse(reason === 'too-large' ? 413 : 400, reason, message, path === undefined ? {} : { path })
  }
  const unknown = unknownField(codec, json.right)
  if (unknown) return refuse(400, 'unknown-field', unknown.message, { path: unknown.path })
  const decoded = codec.validate(json.right, t.getDefaultContext(codec))
  if (!isLeft(decoded)) return decoded
  const path = pathOf(decoded.left[0]?.context ?? [])
  return refuse(400, 'wrong-body', explain(decoded.left), path ? { path } : {})
}
