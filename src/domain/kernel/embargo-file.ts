import { linesOf } from '@fonds/bytes'
import { Day, dayOf } from './day.ts'
import type { EmbargoWord } from './embargo.ts'

/** Name of the metadata file that says until when nothing of the object is to be shown. */
export const embargoFile = 'mrt-embargo.txt'

const date = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?)?)?$/

/**
 * Returns the last day (UTC) of the embargo. A year or a month means its last day; a time means its day, and UTC where it
 * names no zone: so nothing is shown too early. Undefined if the text is neither a date nor `none`.
 */
export const embargoIn = (text: string): EmbargoWord | undefined => {
  const value = embargoValue(text)
  if (value.toLowerCase() === 'none') return 'none'
  const [, year, month = '12', day, time, zone = 'Z'] = date.exec(value) ?? []
  if (year === undefined) return undefined
  const written = `${year}-${month}-${day ?? lastDay(Number(year), Number(month))}`
  if (!Day.is(written)) return undefined
  if (time === undefined) return written
  const millis = Date.parse(`${written}T${time}${zone}`)
  const found = Number.isNaN(millis) ? undefined : dayOf(new Date(millis).toISOString())
  return Day.is(found) ? found : undefined
}

/** As `embargoIn`; text that cannot be read holds for ever, until a person looks at it. Undefined: there is no file. */
export const embargoOfFile = (text: string | undefined): EmbargoWord =>
  text === undefined ? 'none' : (embargoIn(text) ?? '9999-12-31')

/** A longer one is none that can be read. */
export const maxEmbargoFileBytes = 1_000_000

/** The first line that says something, without the word before its colon. */
export const embargoValue = (text: string): string => {
  const line = linesOf(text).find((one) => one.trim() !== '') ?? ''
  return line.replace(/^\s*embargoEndDate\s*:/i, '').trim()
}

/** Two digits. */
const lastDay = (year: number, month: number): string =>
  new Date(Date.UTC(year, month, 0)).toISOString().slice(8, 10)
