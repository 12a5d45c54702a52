import { isLeft } from 'fp-ts/lib/Either.js'
import type { CdxRequest, Dialect } from './cdx-request.ts'
import { ia } from './ia.ts'
import { outbackcdx } from './outbackcdx.ts'
import type { Decoded } from './parameters.ts'
import { wordOf } from './parameters.ts'
import { pywb } from './pywb.ts'

const dialects = { outbackcdx, pywb, ia } as const satisfies Readonly<Record<string, Dialect>>

export const dialectNames = ['outbackcdx', 'pywb', 'ia'] as const

/** Decodes a request in the dialect that `dialect` names; OutbackCDX's by default. */
export const decodeCdxRequest = (parameters: URLSearchParams): Decoded<CdxRequest> => {
  const dialect = wordOf(parameters, 'dialect', dialectNames)
  return isLeft(dialect) ? dialect : dialects[dialect.right ?? 'outbackcdx'](parameters)
}
