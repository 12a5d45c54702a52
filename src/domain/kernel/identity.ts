import { type Either, left, right } from 'fp-ts/lib/Either.js'

/* Identities, as an identity provider or a proxy gives them. */

/** Longest reference: it is the actor of events, and the curator of clips. */
const maxReference = 200

/**
 * Returns `<issuer>#<sub>`, the actor of what somebody does. Characters other than visible ASCII are percent-encoded. Left:
 * a sentence, where it is too long.
 */
export const referenceOf = (issuer: string, subject: string): Either<string, string> => {
  const reference = `${issuer}#${subject.replace(/[^!-~]|%/gu, encodeURIComponent)}`
  return subject === '' || reference.length > maxReference
    ? left(
        `the subject is empty, or longer than ${maxReference} characters together with its issuer: have the provider send a shorter one`,
      )
    : right(reference)
}

/** Claims of an ID token and of the provider's answer about a user. */
export type Claims = Readonly<Record<string, unknown>>

/** Name and mail address for people, as far as the claims have them. */
export const nameAndMail = (claims: Claims): { readonly name?: string; readonly mail?: string } => {
  const name = shortText(claims.name) ?? shortText(claims.preferred_username)
  const mail = shortText(claims.email)
  return { ...(name !== undefined && { name }), ...(mail !== undefined && { mail }) }
}

/**
 * Returns the groups that a claim names: a text, or a list of texts. `realm_access.roles` is looked for as it stands, and then
 * as `roles` in `realm_access`. A mail address counts if the provider has verified it: others can be chosen freely.
 */
export const groupsIn = (claims: Claims, claim: string): readonly string[] => {
  if (claim === 'email' && claims.email_verified !== true) return []
  const value = Object.hasOwn(claims, claim) ? claims[claim] : nested(claims, claim.split('.'))
  return [value].flat().filter((one) => typeof one === 'string' && one !== '') as readonly string[]
}

const nested = (claims: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    claims,
  )

const maxText = 200

/** A claim that people read: no control characters, and not longer than a line. */
export const shortText = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined
  const text = value.replace(/\p{C}+/gu, ' ').trim()
  return text === '' ? undefined : text.slice(0, maxText)
}

/** Names with commas between; with semicolons where the names have commas. */
export const listed = (text: string): readonly string[] =>
  text
    .split(text.includes(';') ? ';' : ',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
