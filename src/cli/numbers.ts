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

export const position = (text: string): bigint => {
  if (/^\d{1,18}$/.test(text)) return BigInt(text)
  throw new InvalidArgumentError('It must be a position of the log: a whole number from 0.')
}

/** Collects an option that may be given several times. */
export const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]
