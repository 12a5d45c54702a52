import type * as t from 'io-ts'
import { Text } from './codecs.ts'

/*
 * References of people, the same for ever and without a name: `<issuer>#<sub>` of whoever signed in, `person#<uuid>` of others.
 * `mailto:<address>` stands for an address that an older version wrote to the log. Names and addresses are in `<home>/personal.db`.
 */

export const Reference = Text
export type Reference = t.TypeOf<typeof Reference>

const inLog = 'mailto:'

export const isReference = (text: string): boolean => /^[^\s#]+#\S+$/.test(text) || text.startsWith(inLog)

export const isMailAddress = (text: string): boolean =>
  /^[^\s@,;<>=#]+@[^\s@,;<>=#]+$/.test(text) && !text.startsWith(inLog)

/** The reference of an address that stands in the log. */
export const ofOldAddress = (address: string): Reference => `${inLog}${address}`

/** Returns the address that a reference holds; undefined for those that hold none. */
export const addressIn = (reference: Reference): string | undefined =>
  reference.startsWith(inLog) ? reference.slice(inLog.length) : undefined

/** For people: an address that stands in the log as it is, a reference as a reference. */
export const referenceText = (reference: Reference): string => addressIn(reference) ?? reference

/** The reference as settings hold it, between commas, blanks and semicolons. */
export const quotedReference = (reference: Reference): string =>
  reference.replace(/[%,;=<>\s]/gu, (char) => encodeURIComponent(char))

/** A recipient of a setting: a mail address, or a reference. Returns undefined for any other text. */
export const recipientOf = (text: string): string | undefined => {
  if (isMailAddress(text)) return text
  if (!/^[^\s,;<>=#]+#[^\s,;<>=]+$/.test(text)) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Mail addresses in the value of a setting that names people. */
export const addressesIn = (value: string): readonly string[] => value.split(/[\s,;=]+/).filter(isMailAddress)

/** The value with references in the place of addresses; those without one stay. */
export const withReferences = (value: string, references: ReadonlyMap<string, Reference>): string =>
  value
    .split(/([\s,;=]+)/)
    .map((part) => {
      const reference = references.get(part)
      return reference === undefined ? part : quotedReference(reference)
    })
    .join('')
