import { isLeft } from 'fp-ts/lib/Either.js'
import { addressIn, isMailAddress, ofOldAddress, type Reference } from '../../domain/kernel/person.ts'
import type { People } from '../../ports/people.ts'

/* Answers name people by reference, and say for readers who that is, as far as this home keeps it. */

interface Keeping {
  readonly people: People
}

/** Names of people for readers: name, else mail address. Those who are not kept here have none. */
export const namesOf = async (
  { people }: Keeping,
  references: readonly (Reference | null)[],
): Promise<ReadonlyMap<Reference, string>> => {
  const wanted = [...new Set(references.filter((one) => one !== null))]
  const inLog = wanted.flatMap((one): readonly (readonly [string, string])[] => {
    const address = isMailAddress(one) ? one : addressIn(one)
    return address === undefined ? [] : [[one, address]]
  })
  // An answer without names is better than none.
  const found = wanted.length === 0 ? undefined : await people.find(wanted)()
  const kept = found === undefined || isLeft(found) ? [] : found.right
  return new Map([
    ...inLog,
    ...kept.flatMap(({ reference, name, mail }): readonly (readonly [string, string])[] => {
      const shown = name ?? mail
      return shown === undefined ? [] : [[reference, shown]]
    }),
  ])
}

/** All references that a person may have in the log, who is named by mail address or by reference. */
export const referencesNamed = async ({ people }: Keeping, named: string): Promise<readonly Reference[]> => {
  if (!isMailAddress(named)) return [named]
  const found = await people.withMail(named)()
  const kept = isLeft(found) ? [] : found.right.map(({ reference }) => reference)
  return [named, ofOldAddress(named), ...kept]
}
