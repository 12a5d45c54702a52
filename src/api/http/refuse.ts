import { STATUS_CODES } from 'node:http'
import { type Either, left } from 'fp-ts/lib/Either.js'
import type { Problem } from '../../app/documents/problem.ts'

/** A problem that also says what only some problems have, such as the refused lines. */
export type DetailedProblem = Problem & Readonly<Record<string, unknown>>

export const problem = (
  status: number,
  code: string,
  detail: string,
  more: { readonly path?: string } & Readonly<Record<string, unknown>> = {},
): DetailedProblem => ({
  type: `urn:fonds:problem:${code}`,
  title: STATUS_CODES[status] ?? 'Refused',
  status,
  detail,
  code,
  ...more,
})

export const refuse = (...parameters: Parameters<typeof problem>): Either<DetailedProblem, never> =>
  left(problem(...parameters))
