import * as t from 'io-ts'

/** Whatever the catalogue says of a work, by field name: any JSON. */
export const Fields = t.record(t.string, t.unknown, 'fields')
export type Fields = t.TypeOf<typeof Fields>
