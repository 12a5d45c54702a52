import type { CaptureLine, CaptureQuery } from '@fonds/cdx'
import * as t from 'io-ts'
import { fromText } from '../../../domain/kernel/text-codecs.ts'
import type { CaptureSource } from '../captures/capture-source.ts'
import { findCaptures } from '../captures/find-captures.ts'

const aspects = {
  host: ({ key }: CaptureLine) => hostOf(key),
  type: ({ field }: CaptureLine) => field('mime').toLowerCase(),
  year: ({ time }: CaptureLine) => time.slice(0, 4),
  status: ({ field }: CaptureLine) => field('status'),
} as const
type Aspect = keyof typeof aspects
export const allAspects = Object.keys(aspects) as readonly Aspect[]

const isAspect = (text: string): text is Aspect => Object.hasOwn(aspects, text)
const areAspects = (value: unknown): value is readonly Aspect[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && isAspect(one))

/** Aspects to count by. */
export const Aspects = fromText(
  'one or more of host, type, year, status, with commas between',
  areAspects,
  (text) => {
    const names = [...new Set(text.split(','))]
    return areAspects(names) ? names : undefined
  },
  { type: 'string', pattern: '^(host|type|year|status)(,(host|type|year|status))*$' },
)

const optionalText = t.union([t.string, t.null])

/** null: captures are not counted by this aspect, or the line is that of `others`. */
export const HoldingsLine = t.type({
  host: optionalText,
  type: optionalText,
  year: optionalText,
  status: optionalText,
  captures: t.number,
  /** All captures for which there was no more room. */
  others: t.boolean,
})
export type HoldingsLine = t.TypeOf<typeof HoldingsLine>

/** So many different rows are held in memory; captures of further ones are counted together. */
export const maxHoldings = 100_000

interface Holdings {
  /** The most captures first, `others` last. */
  readonly lines: readonly HoldingsLine[]
  readonly captures: number
  readonly isCut: boolean
}

/** Counts what is in the index, in one scan. Throws what aborted it. */
export const holdings = async (
  source: CaptureSource,
  query: CaptureQuery,
  by: readonly Aspect[],
  signal: AbortSignal,
  most = maxHoldings,
): Promise<Holdings> => {
  const counts = new Map<string, number>()
  let others = 0
  let captures = 0
  let isCut = false
  const valuesOf = by.map((aspect) => aspects[aspect])
  for await (const { lines, end } of findCaptures(source, query)) {
    signal.throwIfAborted()
    for (const line of lines) {
      captures++
      // No value of a line has a blank.
      const values = valuesOf.map((value) => value(line)).join(' ')
      const counted = counts.get(values)
      if (counted === undefined && counts.size >= most) others++
      else counts.set(values, (counted ?? 0) + 1)
    }
    if (end?.cut) isCut = true
  }
  const rows = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map((one) => lineOf(by, one))
  return {
    lines: others > 0 ? [...rows, { ...empty, captures: others, others: true }] : rows,
    captures,
    isCut,
  }
}

const empty = { host: null, type: null, year: null, status: null } as const

const lineOf = (by: readonly Aspect[], [values, captures]: readonly [string, number]): HoldingsLine => {
  const parts = values.split(' ')
  return {
    ...empty,
    ...Object.fromEntries(by.map((aspect, i) => [aspect, parts[i] ?? ''])),
    captures,
    others: false,
  }
}

/** `sub.example.org` of `org,example,sub)/a`; the key's own beginning where it has no host (`dns:`). */
const hostOf = (key: string): string => {
  const end = key.indexOf(')')
  if (end === -1) return key.slice(0, key.indexOf(':') + 1) || key
  const [, host = '', port = ''] = /^(.*?)(:\d+)?$/.exec(key.slice(0, end)) ?? []
  return host.split(',').reverse().join('.') + port
}
