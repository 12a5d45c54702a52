import { isLeft } from 'fp-ts/lib/Either.js'
import type { People } from '../../ports/people.ts'
import { type Finding, fail } from '../finding.ts'

/** No line where names and addresses can be read, or there are none. */
export const peopleChecks = async ({ people }: { readonly people: People }): Promise<readonly Finding[]> => {
  const kept = await people.list()()
  return isLeft(kept)
    ? [
        fail(
          'personal.db',
          `names and mail addresses cannot be read, and nobody is mailed by reference: ${kept.left.reason}`,
          'put a backup of the file in its place; or move it away: people are entered by `fonds people add <mail> --reference <reference>`, or sign in again',
        ),
      ]
    : []
}
