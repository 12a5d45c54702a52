import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openPeople } from '#infra/people/personal-db.ts'
import type { People, Person } from '#src/ports/people.ts'

/** Names and addresses of these people, until the test is over. */
export const peopleOf = async (...persons: readonly Person[]): Promise<People> => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-people-'))
  const people = openPeople(join(folder, 'personal.db'))
  onTestFinished(() => {
    people.close()
    rmSync(folder, { recursive: true, force: true })
  })
  for (const person of persons) await people.note(person)()
  return people
}
