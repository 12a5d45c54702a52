/*
 * Personal values in the log. A stored text stands for one as `personal:<reference>.<commitment>`: 22 and 43 characters of
 * base64url. It is one text, so that every field that took the value takes it, in old events and in new ones: codecs, filters and
 * comparisons stay as they are. That of a mail address ends in `@mail`, and so is one for whoever asks whether it is an address. The
 * value is outside of the log (`ports/personal-values.ts`), where it can be erased.
 */

/** A text that was shown is not read again: an answer may be made of another. */
const anywhere = /(?<!not readable here: )personal:[\w-]{22}\.[\w-]{43}(?:@mail)?(?![\w-])/g
const whole = /^personal:[\w-]{22}\.[\w-]{43}(?:@mail)?$/

/** Length of the longest reference, in characters. */
const maxLength = 80

const address = /^[^\s@<>,;]+@[^\s@<>,;]+$/

export const personalText = (reference: string, commitment: string, value: string): string =>
  `personal:${reference}.${commitment}${address.test(value) ? '@mail' : ''}`

/** True for a text that is one reference and nothing else. */
export const isPersonal = (text: string): boolean => text.length <= maxLength && whole.test(text)

/** A reference that stands for itself and for no value: no reader gets another text in its place. */
export const bareReference = (reference: string): string => reference.slice('personal:'.length)

/** The reverse. */
export const fromBare = (bare: string): string => `personal:${bare}`

/** Quick: true for each text that has a reference in it. */
export const mayHavePersonal = (text: string): boolean => text.includes('personal:')

/** References in a text, each once. */
export const personalIn = (text: string): readonly string[] =>
  mayHavePersonal(text) ? [...new Set(text.match(anywhere))] : []

/** The text with another one in the place of each reference. */
export const replacePersonal = (text: string, replacement: (reference: string) => string): string =>
  mayHavePersonal(text) ? text.replace(anywhere, replacement) : text

/** References with all that would make one of the rest. It begins where such words begin, so that long runs are read once. */
const typed = /(?<!personal:)(?:personal:)+(?=[\w-]{22}\.[\w-]{43}(?:@mail)?(?![\w-]))/g

/** The text of somebody who typed references: they lead to nothing, however often they are shown. */
export const withoutReferences = (text: string): string =>
  mayHavePersonal(text) ? text.replace(typed, '') : text

/** A value as this home has it. */
export type PersonalValue =
  | { readonly kind: 'value'; readonly text: string; readonly salt: string }
  /** `at`: ISO 8601 UTC. */
  | { readonly kind: 'erased'; readonly at: string }

/**
 * For readers: the value, the day of its erasing, or the reference with a word on what it is. A value that was typed as a reference
 * leads to nothing, however often it is shown.
 */
export const shownPersonal = (reference: string, value: PersonalValue | undefined): string => {
  if (!value) return `[personal value, not readable here: ${reference}]`
  return value.kind === 'value' ? withoutReferences(value.text) : `[erased on ${value.at.slice(0, 10)}]`
}
