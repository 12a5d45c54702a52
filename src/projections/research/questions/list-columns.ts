import { duration } from '../../../domain/kernel/amounts.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import type { Column, Tone } from '../../runtime/shown.ts'

/* Columns that several lists of research have. */

const tones: Readonly<Record<string, Tone>> = {
  done: 'good',
  busy: 'good',
  idle: 'good',
  parked: 'bad',
  silent: 'bad',
  blocked: 'bad',
  lapsed: 'warning',
  draining: 'warning',
  excluded: 'warning',
  unknown: 'warning',
  withdrawn: 'quiet',
  gone: 'quiet',
}

export const stateColumn: Column = { key: 'state', tone: (value) => tones[String(value)] }

export const inSeconds = (value: unknown): string =>
  Number(value) > 0 ? duration(Number(value) * SECOND) : '0 s'
