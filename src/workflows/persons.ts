import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { v4 as uuid } from 'uuid'
import { orThrow } from '../async/unavailable.ts'
import { addressIn, isMailAddress, isReference, type Reference } from '../domain/kernel/person.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import type { People } from '../ports/people.ts'

/* People by their addresses, and addresses by people: the log has references, `<home>/personal.db` the rest. */

interface Keeping {
  readonly people: People
}

/** Returns the reference of a mail address. An address that nobody has gets a new one. Throws `UnavailableError`. */
export const referenceOfMail = async ({ people }: Keeping, mail: string): Promise<Reference> => {
  const [known] = await orThrow(people.withMail(mail), 'names and addresses')
  if (known) return known.reference
  const reference = newReference()
  await orThrow(people.note({ reference, mail }), 'names and addresses')
  return reference
}

export const newReference = (): Reference => `person#${uuid()}`

/** Returns the references of several addresses. Throws `UnavailableError`. */
export const referencesOfMail = async (
  context: Keeping,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Reference>> => {
  const found = new Map<string, Reference>()
  for (const address of addresses)
    if (!found.has(address)) found.set(address, await referenceOfMail(context, address))
  return found
}

/**
 * Returns the reference of a person who is named by mail address or by reference. Rejects with `unknown-person` a reference
 * under which nobody is kept here. Throws `UnavailableError`.
 */
export const referenceTo = async (context: Keeping, named: string): Promise<Either<Rejection, Reference>> => {
  const address = isMailAddress(named) ? named : addressIn(named)
  if (address !== undefined) return right(await referenceOfMail(context, address))
  const [known] = isReference(named) ? await orThrow(context.people.find([named]), 'names and addresses') : []
  return known
    ? right(named)
    : left({
        code: 'unknown-person',
        message: `nobody is kept here as ${named}: \`fonds people list\` shows who is; a mail address may be given, too`,
      })
}

interface Addresses {
  /** The recipient of each mail address. */
  readonly recipientOf: ReadonlyMap<string, string>
  /** References of people without an address here. */
  readonly without: readonly Reference[]
}

/** Returns the mail addresses of recipients, who are named by address or by reference. Throws `UnavailableError`. */
export const addressesOf = async ({ people }: Keeping, recipients: readonly string[]): Promise<Addresses> => {
  const recipientOf = new Map<string, string>()
  const without: Reference[] = []
  for (const recipient of new Set(recipients)) {
    const [person] = isMailAddress(recipient)
      ? []
      : await orThrow(people.find([recipient]), 'names and addresses')
    const address = isMailAddress(recipient) ? recipient : (addressIn(recipient) ?? person?.mail)
    if (address === undefined) without.push(recipient)
    else recipientOf.set(address, recipient)
  }
  return { recipientOf, without }
}

/** For logs: whom no mail can be sent to, and the way out. */
export const withoutAddress = (without: readonly Reference[]): string =>
  `no mail address is kept here for ${without.join(', ')}: enter it with fonds people add <mail> --reference <reference>`
