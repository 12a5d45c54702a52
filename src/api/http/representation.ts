import { stringify } from 'csv-stringify/sync'
import { cellText } from '../../domain/kernel/formulas.ts'
import { jsonText } from './route.ts'

/** Which of the content types the client wants most (RFC 9110, Accept); the first where it does not mind. */
export const preferred = <Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Type | undefined => {
  if (accept === undefined || accept.trim() === '') return offered[0]
  const ranges = accept.split(',').map(readRange)
  const weightOf = (type: string): number =>
    ranges
      .filter(({ range }) => covers(range, type))
      .reduce((best, each) => (each.range.length >= best.range.length ? each : best), {
        range: '',
        weight: 0,
      }).weight
  return offered
    .map((type) => ({ type, weight: weightOf(type) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)[0]?.type
}

const readRange = (text: string) => {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const weight = q === undefined ? 1 : Number(q)
  return {
    range: range === '*/*' ? '*' : range.replace('/*', '/'),
    weight: Number.isNaN(weight) ? 0 : weight,
  }
}

const covers = (range: string, type: string): boolean =>
  range === '*' || range === type || (range.endsWith('/') && type.startsWith(range))

export const ndjson = (rows: readonly unknown[]): string => rows.map((row) => `${jsonText(row)}\n`).join('')

/** All columns, in this order. Text that a spreadsheet would run as a formula gets a ' in front. */
export const csv = (rows: readonly object[], columns: readonly string[]): string =>
  stringify([...rows], {
    header: true,
    columns: [...columns],
    cast: { string: cellText, object: jsonText, boolean: String },
  })
