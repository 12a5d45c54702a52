import type * as t from 'io-ts'
import { wholeNumber } from '../../domain/kernel/text-codecs.ts'

/** One input of a question: a parameter over HTTP, an argument or a flag on the command line. */
export interface Field<Codec extends t.Mixed = t.Mixed> {
  /** A sentence for people who ask. */
  readonly description: string
  /** Decodes its text, from an address or a command line. */
  readonly codec: Codec
  /** A narrower codec over HTTP, where others wait for the same process. */
  readonly http?: Codec
  /** `http`: optional on the command line. */
  readonly required?: true | 'http'
  /** Value of an absent field. `description` names it. */
  readonly default?: t.TypeOf<Codec>
  readonly example?: unknown
  /** On the command line an argument without a flag; its name in the help. */
  readonly argument?: string
  /** On the command line the argument may be several words: they are joined with blanks. */
  readonly words?: true
  /** On the command line it is one of several `name=value` after the other arguments. */
  readonly pair?: true
  /** Placeholder of its value in the help: `--limit <n>`. Absent: `text`; `''` for a `Flag`, which has no value. */
  readonly value?: string
  /** Affects only what people read on the command line, and nothing over HTTP. */
  readonly only?: 'command-line'
}

export type Fields = Readonly<Record<string, Field>>

type Sure = { readonly required: true } | { readonly default: unknown }

/** Input of `ask`: a field that is neither required nor has a default may be absent. */
export type InputOf<All extends Fields> = {
  readonly [Name in keyof All as All[Name] extends Sure ? Name : never]: t.TypeOf<All[Name]['codec']>
} & {
  readonly [Name in keyof All as All[Name] extends Sure ? never : Name]?: t.TypeOf<All[Name]['codec']>
}

/** Returns the given fields, and the defaults of the others. */
export const withDefaults = (
  fields: Fields,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [name, given[name] === undefined ? field.default : given[name]] as const)
      .filter(([, value]) => value !== undefined),
  )

/** A whole number whose upper bound holds only over HTTP. To be spread into a field. */
export const whole = (least: number, most: number) => ({
  codec: wholeNumber(undefined, least),
  http: wholeNumber(most, least),
  value: 'n',
})

/** Most rows of a list. */
export const limit = {
  ...whole(1, 10_000),
  description: 'Most rows; 1000 unless said.',
  default: 1000,
} as const satisfies Field

/** Number of rows that a list skips. */
export const offset = {
  ...whole(0, 1e9),
  description: 'Rows to pass over; none unless said.',
  default: 0,
} as const satisfies Field
