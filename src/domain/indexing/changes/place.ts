import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** Up to where somebody knows the index. */
export interface Known {
  /** The position of its last change. */
  readonly index: bigint
  /** The position up to which rules of access were read. */
  readonly rules: bigint
  /** ISO 8601 UTC: rules have periods. */
  readonly at: string
}

/** Where a secondary goes on: an opaque text for it. */
export interface Place {
  /** Identity of the log: positions of another one mean nothing. */
  readonly log: string
  /** What it had before this round; absent: nothing. */
  readonly from?: Known
  /** What it has when the round ends. */
  readonly to: Known
  /** Within a round: the line to go on from, of what is made anew or of the changes. */
  readonly on?: { readonly part: 'anew' | 'changes'; readonly line: Uint8Array }
}

const Position = t.refinement(t.string, (text) => /^(-1|\d{1,30})$/.test(text), 'position')
const KnownShape = t.tuple([Position, Position, t.string])
const PlaceShape = t.intersection([
  t.type({ log: t.string, to: KnownShape }),
  t.partial({ from: KnownShape, part: t.keyof({ anew: null, changes: null }), line: t.string }),
])

export const placeText = ({ log, from, to, on }: Place): string => {
  const shape: t.TypeOf<typeof PlaceShape> = {
    log,
    to: shapeOf(to),
    ...(from && { from: shapeOf(from) }),
    ...(on && { part: on.part, line: Buffer.from(on.line).toString('base64') }),
  }
  return Buffer.from(JSON.stringify(shape)).toString('base64url')
}

export const placeOf = (text: string): Place | undefined => {
  const decoded = PlaceShape.decode(parsed(Buffer.from(text, 'base64url').toString()))
  if (E.isLeft(decoded)) return undefined
  const { log, from, to, part, line = '' } = decoded.right
  return {
    log,
    to: knownOf(to),
    ...(from && { from: knownOf(from) }),
    ...(part && { on: { part, line: Buffer.from(line, 'base64') } }),
  }
}

const shapeOf = ({ index, rules, at }: Known): t.TypeOf<typeof KnownShape> => [
  String(index),
  String(rules),
  at,
]

const knownOf = ([index, rules, at]: t.TypeOf<typeof KnownShape>): Known => ({
  index: BigInt(index),
  rules: BigInt(rules),
  at,
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
