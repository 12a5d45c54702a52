import type * as t from 'io-ts'
import { fromText } from '../../kernel/text-codecs.ts'

const isText = (value: unknown): value is string => typeof value === 'string'
const separated = /^\d{4}-\d{2}(-\d{2}(T\d{2}:\d{2}:\d{2}Z)?)?$/

/** 1 to 14 digits of a time in UTC, as an index has them; `2026-01-31` stands for `20260131`. */
export const TimeDigits: t.Type<string, string, unknown> = fromText(
  'time in digits, or with dashes (2026, 20260131, 2026-01-31, 20260131120000)',
  isText,
  (text) => {
    const digits = separated.test(text) ? text.replace(/\D/g, '') : text
    return /^\d{1,14}$/.test(digits) ? digits : undefined
  },
  { type: 'string', examples: ['20260131'] },
)

/** `2026-01-31` of 14 digits. */
export const dayOf = (digits: string): string =>
  `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`

/** `2026-01-31 12:00:00` of 14 digits. */
export const inWords = (digits: string): string =>
  `${dayOf(digits)} ${digits.slice(8, 10)}:${digits.slice(10, 12)}:${digits.slice(12, 14)}`
