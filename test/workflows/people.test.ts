import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRight, left } from 'fp-ts/lib/Either.js'

import { describe, expect, it, onTestFinished } from 'vitest'
import { openPeople } from '#infra/people/personal-db.ts'
import { dispatch } from '#src/app/dispatch.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { askCommand } from '#src/cli/ask-command.ts'
import { peopleChecks } from '#src/workflows/people/checks.ts'
import { forgetByLog } from '#src/workflows/people/forget-by-log.ts'
import { peopleWorkflow } from '#src/workflows/people/workflow.ts'
import { folderOf, testSystem } from '../app/archive.ts'
import { everything } from '../e2e/crash/expectations.ts'

const by = { actor: 'ben', reason: 'a test' }
const unavailable = { kind: 'Unavailable', reason: 'the log is away' } as const

const useSystem = async () => {
  const system = await testSystem()
  const people = () => orThrow(system.people.list())
  const logged = async () =>
    JSON.stringify((await everything(system)).map(({ stream, data, metadata }) => [stream, data, metadata]))
  const command = (name: string, input: object) => askCommand(system, name, input, by)
  return { system, people, logged, command }
}

describe('people', () => {
  it('are entered with a name and an address outside of the log, which has a reference', async () => {
    const { people, logged, command } = await useSystem()
    await command('people.add', { mail: 'ada@archive.example', name: 'Ada Brandt' })
    const [ada] = await people()
    expect(ada).toEqual({
      ...{ reference: expect.stringMatching(/^person#[0-9a-f-]{36}$/) },
      ...{ name: 'Ada Brandt', mail: 'ada@archive.example' },
    })
    expect(await logged()).toContain(`person-${ada!.reference}`)
    expect(await logged()).not.toMatch(/archive\.example|Brandt/)
  })

  it('have one reference for one address, however it is written, and another name later', async () => {
    const { people, command } = await useSystem()
    await command('people.add', { mail: 'ada@archive.example', name: 'Ada' })
    await command('people.add', { mail: 'Ada@Archive.example', name: 'Ada Brandt' })
    expect(await people()).toMatchObject([{ name: 'Ada Brandt', mail: 'Ada@Archive.example' }])
  })

  it('are forgotten by address or reference: the log has who wanted it, and why', async () => {
    const { system, people, command } = await useSystem()
    await command('people.add', { mail: 'ada@archive.example' })
    const [ada] = await people()
    const events = await command('people.forget', { person: 'ada@archive.example' })
    expect(events).toMatchObject([{ type: 'PersonForgotten', data: { reason: 'a test' } }])
    const last = (await everything(system)).at(-1)
    expect(last).toMatchObject({ type: 'PersonForgotten', metadata: { actor: 'ben' } })
    expect(await people()).toEqual([])
    await expect(command('people.forget', { person: 'ada@archive.example' })).rejects.toThrow(
      'nobody with the address ada@archive.example is kept here',
    )
    // What another home keeps is forgotten there, by the reference.
    await command('people.forget', { person: ada!.reference })
    expect(isRight(await system.people.find([ada!.reference])())).toBe(true)
  })

  it('are forgotten by one wish once: given again it has the answer that it had, though the address leads nowhere', async () => {
    const { system, command, logged } = await useSystem()
    const forget = peopleWorkflow.commands.find(({ name }) => name === 'people.forget')!
    const again = (key: string) => dispatch(system, forget, { person: 'ada@archive.example' }, { ...by, key })
    await command('people.add', { mail: 'ada@archive.example' })
    const first = await again('k1')
    const known = await logged()
    const second = await again('k1')
    expect(first).toMatchObject({ right: { kind: 'done' } })
    expect(second).toMatchObject({ right: { kind: 'repeated' } })
    expect(await logged()).toBe(known)
    expect(await again('k2')).toMatchObject({
      right: { kind: 'rejected', rejection: { code: 'unknown-person' } },
    })
  })

  it('that come back by hand stay, whatever was forgotten before, also where nobody was kept', async () => {
    const { system, people, command } = await useSystem()
    const reference = 'person#00000000-0000-4000-8000-000000000001'
    await command('people.forget', { person: reference })
    await command('people.add', { mail: 'ada@archive.example', reference })
    await forgetByLog(system)
    expect(await people()).toMatchObject([{ reference }])
    await command('people.forget', { person: 'ada@archive.example' })
    expect(await people()).toEqual([])
    await command('people.add', { mail: 'ada@archive.example', reference })
    await forgetByLog(system)
    expect(await people()).toMatchObject([{ reference, mail: 'ada@archive.example' }])
  })

  it('are kept while the log cannot be told, and forgotten when it is given again', async () => {
    const { system, people, command } = await useSystem()
    await command('people.add', { mail: 'ada@archive.example' })
    const away = { ...system, execute: async () => left(unavailable) }
    const input = { person: 'ada@archive.example' }
    await expect(askCommand(away, 'people.forget', input, by)).rejects.toThrow('the log is away')
    expect(await people()).toHaveLength(1)
    await command('people.forget', input)
    expect(await people()).toEqual([])
  })

  it('whose address an older version wrote to the log cannot be forgotten, and no command writes one', async () => {
    const { logged, command } = await useSystem()
    const person = 'mailto:ada@archive.example'
    await expect(command('people.forget', { person })).rejects.toThrow('to the log, where it stays')
    const add = command('people.add', { mail: 'ben@archive.example', reference: person })
    await expect(add).rejects.toThrow()
    expect(await logged()).not.toContain('ada@archive.example')
  })

  it('are forgotten in the home of another node, unless they have signed in since', async () => {
    const { system, people, command } = await useSystem()
    await command('people.forget', { person: 'https://login.example#1' })
    await command('people.forget', { person: 'https://login.example#2' })
    const note = (reference: string, lastSeen?: string) =>
      orThrow(system.people.note({ reference, ...(lastSeen !== undefined && { lastSeen }) }))
    await note('https://login.example#1', '2020-01-01T00:00:00.000Z')
    await note('https://login.example#2', '2999-01-01T00:00:00.000Z')
    await note('person#3')
    await forgetByLog(system)
    expect((await people()).map(({ reference }) => reference)).toEqual([
      'https://login.example#2',
      'person#3',
    ])
    // Once for each event: whoever comes back stays.
    await note('https://login.example#1', '2020-01-01T00:00:00.000Z')
    await forgetByLog(system)
    expect(await people()).toHaveLength(3)
  })
})

it('people are followed again in a log that was put back from an older copy', async () => {
  const { system, people, command } = await useSystem()
  await command('people.forget', { person: 'person#1' })
  await orThrow(system.people.note({ reference: 'person#1', mail: 'ada@archive.example' }))
  await orThrow(system.people.forgetUpTo(1_000_000n, []))
  await forgetByLog(system)
  expect(await people()).toEqual([])
  expect(await orThrow(system.people.forgottenTo())).toBeLessThan(1_000_000n)
})

it('a backup has people as they are then, and can be made without them', async () => {
  const { system, command } = await useSystem()
  const [kept] = peopleWorkflow.kept!(system.config)
  const tools = { signal: new AbortController().signal, onBytes: () => {} }
  const to = join(await folderOf({}), 'personal.db')
  await kept!.copy!(kept!.from, to, tools)
  expect(existsSync(to)).toBe(false)
  await command('people.add', { mail: 'ada@archive.example' })
  await command('people.add', { mail: 'ben@archive.example' })
  await command('people.forget', { person: 'ben@archive.example' })
  await kept!.copy!(kept!.from, to, tools)
  expect(readFileSync(to, 'latin1')).not.toContain('ben@archive')
  const copied = openPeople(to)
  onTestFinished(() => copied.close())
  expect(await orThrow(copied.list())).toEqual(await orThrow(system.people.list()))
  expect(kept).toMatchObject({ name: 'personal.db', otherwise: expect.stringContaining('personal.db') })
})

it('a damaged file is named by doctor, and by a backup, which can be made without it', async () => {
  const { system } = await useSystem()
  expect(await peopleChecks(system)).toEqual([])
  const file = join(
    await folderOf({ 'personal.db': 'no database, but long enough to be looked at'.repeat(100) }),
    'personal.db',
  )
  const damaged = openPeople(file)
  onTestFinished(() => damaged.close())
  expect(await peopleChecks({ people: damaged })).toMatchObject([{ check: 'personal.db', status: 'fail' }])
  const [kept] = peopleWorkflow.kept!(system.config)
  const tools = { signal: new AbortController().signal, onBytes: () => {} }
  await expect(kept!.copy!(file, `${file}.copy`, tools)).rejects.toThrow('--no-people leaves it out')
})

describe('settings that name people', () => {
  it('have references in the log in the place of addresses', async () => {
    const { people, logged, command, system } = await useSystem()
    const value = 'monthly to=ada@archive.example,ben@archive.example store=main'
    await command('settings.set', { setting: 'reports', value })
    await command('settings.set', { setting: 'noticesMail', value: 'ada@archive.example' })
    await command('settings.set', { setting: 'mailServer', value: 'smtp://mail.example:25' })
    await command('settings.set', { setting: 'mailFrom', value: 'fonds@archive.example' })
    const ofMail = new Map((await people()).map(({ mail, reference }) => [mail, reference]))
    expect([...ofMail.keys()].toSorted()).toEqual(['ada@archive.example', 'ben@archive.example'])
    const log = await logged()
    expect(log).not.toMatch(/(ada|ben)@archive/)
    expect(log).toContain('fonds@archive.example')
    await system.settings.refresh({ beforeWork: true })
    const { reports, noticesMail } = system.config
    expect(noticesMail).toBe(ofMail.get('ada@archive.example'))
    expect(reports).toBe(
      `monthly to=${ofMail.get('ada@archive.example')},${ofMail.get('ben@archive.example')} store=main`,
    )
  })
})

it('a person who is not kept here cannot be given a finding by reference', async () => {
  const { command, people } = await useSystem()
  await expect(
    command('fixity.assign', { store: 'main', path: 'a', resolution: 'main/a#1', to: 'person#gone' }),
  ).rejects.toThrow(/nobody is kept here as person#gone: `fonds people list`/)
  expect(await people()).toEqual([])
})
