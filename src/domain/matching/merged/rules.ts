import * as t from 'io-ts'
import { Text } from '../../kernel/codecs.ts'

/**
 * How the values of one field are combined. Works come in the order of precedence, the target first. `target`: its value
 * alone. `first`: the first that is not empty. `union`: each value once. `append`: one after the other. The last two make
 * an array, also of one value. A value that is empty (null, '', [] or {}) is left out.
 */
export const FieldRule = t.keyof(
  { target: null, first: null, union: null, append: null },
  'target, first, union or append',
)
export type FieldRule = t.TypeOf<typeof FieldRule>

/** How a component becomes one work. A generation keeps its rules for life: others mean another generation. */
export const Rules = t.type(
  {
    /** Sources, the best target first; sources that are not named come behind them, in the order of their names. */
    precedence: t.array(Text),
    /** Sources whose works never are a target: they only add to others. */
    neverTarget: t.array(Text),
    /** By field name; `title` is one of them, but a work has one title: `union` and `append` are `first` to it. */
    fields: t.record(Text, FieldRule),
    otherFields: FieldRule,
  },
  'rules',
)
export type Rules = t.TypeOf<typeof Rules>

/** Any source may be the target, in the order of their names; what the target lacks comes from the next that has it. */
export const defaultRules: Rules = { precedence: [], neverTarget: [], fields: {}, otherFields: 'first' }
