import * as t from 'io-ts'
import type { ColumnOf, ColumnType, RowOf, ViewShape } from '../../domain/kernel/view.ts'

/**
 * The codec of a view's rows: columns of the key have a value, all others may be null. `known` has the codecs of columns
 * whose type alone says too little.
 */
export const rowCodec = <Shape extends ViewShape>(
  { key, columns }: Shape,
  known: { readonly [Name in ColumnOf<Shape>]?: t.Type<RowOf<Shape>[Name], unknown> } = {},
): t.Type<RowOf<Shape>, unknown> =>
  t.type(
    Object.fromEntries(
      Object.entries(columns).map(([name, type]) => {
        const value = known[name as ColumnOf<Shape>] ?? values[type]
        return [name, key.includes(name) || type === 'json' ? value : t.union([value, t.null])]
      }),
    ),
  ) as unknown as t.Type<RowOf<Shape>, unknown>

const values: Readonly<Record<ColumnType, t.Mixed>> = {
  text: t.string,
  integer: t.number,
  real: t.number,
  json: t.unknown,
}
