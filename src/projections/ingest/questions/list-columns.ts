import { bytes, duration } from '../../../domain/kernel/amounts.ts'
import { DAY, SECOND } from '../../../domain/kernel/time.ts'
import { type Column, type Tone, toTheSecond } from '../../runtime/shown.ts'

/* Columns that several lists of ingest have. */

const tones: Readonly<Record<string, Tone>> = {
  completed: 'good',
  OK: 'good',
  sent: 'good',
  failed: 'bad',
  failure: 'bad',
  FAIL: 'bad',
  held: 'warning',
  warning: 'warning',
  uncertain: 'warning',
  deleted: 'quiet',
}

export const toneOf = (value: unknown): Tone | undefined => tones[String(value)]

export const stateColumn: Column = { key: 'state', tone: toneOf }

export const size = (value: unknown): string => (typeof value === 'number' ? bytes(value) : 'unknown')

export const sizeColumn: Column = { key: 'bytes', title: 'size', show: size }

export const ageColumn: Column = {
  key: 'ageSeconds',
  title: 'age',
  show: (value) => (Number(value) > 0 ? duration(Number(value) * SECOND) : '0 s'),
}

const finalStates = ['completed', 'deleted']

/** Age, with a warning if the state is not final within a day. */
export const lateColumn: Column = {
  ...ageColumn,
  tone: (value, { state }) =>
    Number(value) * SECOND > DAY && !finalStates.includes(String(state)) ? 'warning' : undefined,
}

export const timeColumn = (key: string, title: string): Column => ({ key, title, show: toTheSecond })

export const titleColumn: Column = { key: 'title', leaveOut: 'middle' }

export const listed = (value: unknown): string => (Array.isArray(value) ? value.join('; ') : '')
