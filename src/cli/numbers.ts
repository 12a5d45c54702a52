import { InvalidArgumentError } from 'commander'

/** Parsers for commander, which reports what they throw as wrong usage. */

export const wholeNumber = (text: string): number => {
  const number = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number
  throw new InvalidArgumentError('It must be a whole number from 0.')
}

export const signedNumber = (text: string): number => {
  const number = Number(text)
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(number)) return number
  throw new InvalidArgumentError('It must be a whole number.')
}

const units: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  ...Object.fromEntries(['K', 'M', 'G', 'T', 'P'].map((name, i) => [`${name}B`, 1000 ** (i + 1)])),
  ...Object.fromEntries(['K', 'M', 'G', 'T', 'P'].map((name, i) => [`${name}IB`, 1024 ** (i + 1)])),
}

/** Bytes: `500GB`, `1.5 TiB`, `1000`. */
export const byteAmount = (text: string): number => {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const bytes = Math.round(Number(number) * (units[unit.toUpperCase()] ?? Number.NaN))
  if (number !== '' && Number.isSafeInteger(bytes) && bytes > 0) return bytes
  throw new InvalidArgumentError('It must be an amount of bytes, such as 500GB, 1.5TiB or 1000000.')
}

export const position = (text: string): bigint => {
  if (/^\d{1,18}$/.test(text)) return BigInt(text)
  throw new InvalidArgumentError('It must be a position of the log: a whole number from 0.')
}

/** Collects an option that may be given several times. */
export const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]
