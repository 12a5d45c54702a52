import { UnavailableError } from '../../async/unavailable.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { type Finding, warn } from '../../workflows/finding.ts'
import { addressesOf } from '../../workflows/persons.ts'
import type { System } from '../system.ts'

/** A line for each person to whom something was given, and for whom no mail address is kept here. */
export const assignees = async (
  system: Pick<System, 'people'>,
  given: ReadonlyMap<string, number>,
): Promise<readonly Finding[]> => {
  try {
    const { without } = await addressesOf(system, [...given.keys()])
    return without.map((person) =>
      warn(
        'assigned',
        `${plural(given.get(person) ?? 0, 'thing')} given to ${person}, for whom no mail address is kept here: no mail says so`,
        `\`fonds people add <mail> --reference ${person}\`, or give them to somebody else`,
      ),
    )
  } catch (error) {
    // Names and addresses that cannot be read have a line of their own.
    if (error instanceof UnavailableError) return []
    throw error
  }
}

/** How many things each person has to do. Throws `UnavailableError`. */
export const givenTo = async (system: System): Promise<ReadonlyMap<string, number>> => {
  const given = new Map<string, number>()
  for (const workflow of system.workflows)
    for (const [person, causes] of (await workflow.assigned?.(system)) ?? [])
      if (causes.length > 0) given.set(person, (given.get(person) ?? 0) + causes.length)
  return given
}
