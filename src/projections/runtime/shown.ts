/* An answer for a terminal, as data that the command line draws. */

export type Row = Readonly<Record<string, unknown>>
export type Tone = 'good' | 'bad' | 'warning' | 'quiet'

export interface Column {
  /** Field of the row. */
  readonly key: string
  /** Heading; absent: the key. */
  readonly title?: string
  /** Formats the value for people; absent: as it is. Programs always get the value itself. */
  readonly show?: (value: unknown, row: Row) => string
  readonly tone?: (value: unknown, row: Row) => Tone | undefined
  /** Where to cut a long value: `middle` for paths and names whose end matters. */
  readonly leaveOut?: 'end' | 'middle'
  /** A command needs the value: it is not cut while it fits on three lines of the terminal. */
  readonly isWhole?: true
}

/** A line of text, or a table. */
export type Block = string | { readonly rows: readonly object[]; readonly columns: readonly Column[] }

export const columns = (...keys: readonly string[]): readonly Column[] => keys.map((key) => ({ key }))

/** Columns that a command needs whole. */
export const wholeColumns = (...keys: readonly string[]): readonly Column[] =>
  keys.map((key) => ({ key, isWhole: true }))

/** Shortens a time to seconds, so that it stays whole in a table; programs get all of it. */
export const toTheSecond = (time: unknown): string =>
  typeof time === 'string' ? time.replace(/\.\d+Z$/, 'Z') : ''
