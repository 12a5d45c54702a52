import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** The state of the index that a secondary has. */
export interface Known {
  /** The position of its last change. */
  readonly index: bigint
  /** The position up to which access rules were read. */
  readonly rules: bigint
  /** ISO 8601 UTC: rules have periods. */
  readonly at: string
}

/** The position from which a secondary continues: opaque text for it. */
export interface Place {
  /** Identity of the log: positions in another log mean nothing. */
  readonly log: string
  /** Its state before this round; absent: none. */
  readonly from?: Known
  /** Its state at the end of the round. */
  readonly to: Known
  /** Within a round: the line to continue from, of the rebuilt lines, of those that embargoes moved, or of the changes. */
  readonly on?: { readonly part: 'anew' | 'embargoes' | 'changes'; readonly line: Uint8Array }
}

const Position = t.refinement(t.string, (text) => /^(-1|\d{1,30})$/.test(text), 'position')
const KnownShape = t.tuple([Position, Position, t.string])
const PlaceShape = t.intersection([
  t.type({ log: t.string, to: KnownShape }),
  t.partial({
    from: KnownShape,
    part: t.keyof({ anew: null, embargoes: null, changes: null }),
    line: t.string,
  }),
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
