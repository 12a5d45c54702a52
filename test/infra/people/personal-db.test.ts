import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { left, right } from 'fp-ts/lib/Either.js'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openPeople } from '#infra/people/personal-db.ts'
import type { Person } from '#src/ports/people.ts'

let file: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-people-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  file = join(folder, 'personal.db')
})

const opened = () => {
  const people = openPeople(file)
  onTestFinished(() => people.close())
  return people
}

const ada: Person = {
  reference: 'https://login.example#17',
  name: 'Ada Example',
  mail: 'ada@archive.example',
  lastSeen: '2026-11-30T06:00:00.000Z',
}

it('a person is found by the reference, by another process as well', async () => {
  expect(await opened().note(ada)()).toEqual(right(undefined))
  expect(await opened().find([ada.reference, 'https://login.example#18'])()).toEqual(right([ada]))
})

it('the newest name and mail replace those before', async () => {
  const people = opened()
  await people.note(ada)()
  const { mail: _, ...later } = { ...ada, name: 'Ada Other' }
  await people.note(later)()
  expect(await people.find([ada.reference])()).toEqual(right([later]))
})

it('there is no file before there is a person', async () => {
  expect(await opened().find([ada.reference])()).toEqual(right([]))
  expect(existsSync(file)).toBe(false)
})

it('a file that cannot be opened is unavailable', async () => {
  mkdirSync(file)
  const failure = { kind: 'Unavailable', reason: expect.stringContaining('cannot be') }
  expect(await opened().note(ada)()).toEqual(left(failure))
})
