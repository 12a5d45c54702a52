import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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

it('whoever is forgotten is in no byte of the files', async () => {
  const people = opened()
  await people.note(ada)()
  await people.note({ reference: 'person#2', mail: 'ben@archive.example' })()
  expect(await people.forget(ada.reference)()).toEqual(right(true))
  expect(await people.forget(ada.reference)()).toEqual(right(false))
  for (const name of readdirSync(dirname(file)))
    expect(readFileSync(join(dirname(file), name), 'latin1'), name).not.toMatch(/Ada|ada@archive/)
  expect(await people.list()()).toEqual(right([{ reference: 'person#2', mail: 'ben@archive.example' }]))
})

it('of one address the person who signed in last comes first', async () => {
  const people = opened()
  await people.note({ reference: 'person#2', mail: ada.mail! })()
  await people.note(ada)()
  await people.note({ ...ada, reference: 'https://login.example#18', lastSeen: '2026-11-29T00:00:00.000Z' })()
  const found = await people.withMail('ADA@archive.example')()
  expect(found).toMatchObject(
    right([
      { reference: ada.reference },
      { reference: 'https://login.example#18' },
      { reference: 'person#2' },
    ]),
  )
})

it('a file of the first format is read, and follows who was forgotten from then on', async () => {
  const db = new DatabaseSync(file)
  db.exec(`CREATE TABLE fonds_schema (component TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT;
    INSERT INTO fonds_schema VALUES ('people', 1);
    CREATE TABLE people (reference TEXT PRIMARY KEY, name TEXT, mail TEXT, last_seen TEXT) STRICT;
    INSERT INTO people VALUES ('person#1', 'Ada', NULL, NULL)`)
  db.close()
  const people = opened()
  expect(await people.forgottenTo()()).toEqual(right(-1n))
  await people.forgetUpTo(7n, [{ reference: 'person#1', at: '2026-01-31T12:00:00.000Z' }])()
  expect([await people.list()(), await people.forgottenTo()()]).toEqual([right([]), right(7n)])
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
