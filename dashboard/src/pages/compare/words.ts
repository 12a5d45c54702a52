import { count, moment } from '../../parts/words.ts'
import { isPosition } from '../../shell/time-machine/moment.ts'

/** Of a moment that is one. */
export const momentWords = (at: string): string =>
  isPosition(at) ? `event ${count(at)}` : moment(new Date(at))

/** A value of a column, as people read it. */
export const valueWords = (value: unknown): string =>
  value === null || value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)

const kinds = { came: '+ came', went: '− went', changed: '~ changed' } as const

export const kindWords = (kind: keyof typeof kinds): string => kinds[kind]
