import * as either from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { Text } from '../kernel/codecs.ts'
import { streamName } from '../kernel/event.ts'

/** Category of the streams that hold what was said of a work: one stream a work. */
export const category = 'work'

export const workStream = (id: string): string => streamName(category, id)

export const longestId = 2000

/** Why a text cannot name a work; undefined where it can. Names are compared byte for byte. */
export const idFault = (id: string): string | undefined => {
  if (id.length === 0) return 'is empty'
  if (id.length > longestId) return `is ${id.length} characters long; the limit is ${longestId}`
  if (!id.isWellFormed()) return 'is not valid Unicode'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f]/.test(id)) return 'holds a control character'
  if (id.trim() !== id) return 'begins or ends with a space; it would never meet its other mentions'
  return undefined
}

/** The id by which records name a work. */
export const WorkId = annotate(
  new t.Type<string, string, unknown>(
    'work id',
    (u): u is string => typeof u === 'string' && idFault(u) === undefined,
    (u, context) =>
      either.chain((id: string) => {
        const fault = idFault(id)
        return fault ? t.failure<string>(u, context, fault) : t.success(id)
      })(t.string.validate(u, context)),
    t.identity,
  ),
  {
    type: 'string',
    minLength: 1,
    maxLength: longestId,
    pattern: '^[^\\s\\u0000-\\u001f\\u007f]([^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?$',
  },
)

export const longestSource = 200

/** The catalogue that owns a record. Rules, refusals and every row of a work name it. */
export const Source = annotate(
  t.refinement(Text, (s) => s.length <= longestSource, `source of 1 to ${longestSource} characters`),
  { maxLength: longestSource },
)

/** `deleted` is upstream's "suppressed": it cuts the links through it and keeps its own, for when it comes back. */
export const WorkState = t.keyof({ visible: null, invisible: null, deleted: null }, 'work state')
export type WorkState = t.TypeOf<typeof WorkState>

/** The order of ids everywhere: by code unit, so that it is the same on every machine. */
export const byId = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
