import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isRight, right } from 'fp-ts/lib/Either.js'
import { expect, it, test } from 'vitest'
import { noteLast } from '#src/app/backup/notes.ts'
import { discardDeadLetter } from '#src/app/dead-letter-service.ts'
import { dispatch } from '#src/app/dispatch.ts'
import { personalValues } from '#src/app/doctor/personal.ts'
import { createRebuilds } from '#src/app/rebuilds.ts'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { personStream } from '#src/domain/kernel/people.ts'
import { isPersonal } from '#src/domain/kernel/personal.ts'
import { copyValues } from '#src/workflows/people/copy-people.ts'
import { eraseByLog } from '#src/workflows/people/erase-by-log.ts'
import { commandsOf } from '#src/workflows/workflow.ts'
import { projectionsOf } from '#src/workflows/workflow-model.ts'
import { testSystem } from '../app/archive.ts'
import { filesWith } from '../files-with.ts'

/* Q44, Q45: what enters with a person's wish is in the log by reference. */

const by = { actor: 'Ada Brandt of Ghent', reason: 'Ada telephoned from Ghent' }
const on = { personalValues: 'on' } as const

const give = async (system: System, name: string, input: object, wanted = by) => {
  const command = commandsOf(system.workflows).find((one) => one.name === name)!
  const done = await dispatch(system, command, input, wanted)
  return isRight(done) ? done.right : expect.fail(JSON.stringify(done.left))
}
const allEvents = async ({ eventStore }: System) => (await orThrow(eventStore.readAll(-1n, {}, 1000))).events
const erase = (system: System, more: object = {}) =>
  give(
    system,
    'personal.erase',
    { person: by.actor, confirmed: true, ...more },
    { actor: 'ben', reason: 'hers' },
  )

test('Q45 no command of a person writes who wants it and why, whatever the command is', async () => {
  const system = await testSystem(on)
  let done = 0
  for (const command of commandsOf(system.workflows)) {
    if (command.name === 'personal.erase' || command.name.startsWith('people.')) continue
    // Some ask for views or stores that are not there: what they do not write is not at issue.
    const outcome = await dispatch(system, command, command.example, by).catch(() => undefined)
    if (outcome && isRight(outcome) && outcome.right.kind === 'done') done++
  }
  const rebuilds = createRebuilds(system)
  const projection = projectionsOf(system.workflows)[0]!
  await rebuilds.start(projection, { ...by, verify: false, promote: false })
  await rebuilds.close()
  await discardDeadLetter(system, 'none', by)
  expect(done).toBeGreaterThan(10)
  const ofPeople = (await allEvents(system)).filter(({ metadata }) => isPersonal(metadata.actor))
  expect(ofPeople.length).toBeGreaterThan(done)
  for (const text of ['Ada Brandt', 'Ada telephoned', 'of Ghent', 'from Ghent'])
    expect(filesWith(system.config.home, text)).toEqual([])
})

it('is off until it is switched on, makes no file before, and both kinds of events are read', async () => {
  const system = await testSystem()
  await give(system, 'ingest.pause', {})
  expect((await allEvents(system)).at(-1)?.metadata.actor).toBe(by.actor)
  expect(filesWith(system.config.home, 'fonds.personal')).toEqual([])
  expect(await personalValues(system, true)).toEqual([])
  await give(system, 'settings.set', { setting: 'personalValues', value: 'on' })
  await system.settings.refresh()
  await give(system, 'ingest.unpause', {})
  expect(isPersonal((await allEvents(system)).at(-1)?.metadata.actor ?? '')).toBe(true)
  expect(await personalValues(system, true)).toMatchObject([
    { status: 'ok', says: expect.stringContaining('2 values kept by reference, 0 erased') },
    { status: 'ok', says: expect.stringContaining('2 events name their actor plainly') },
  ])
})

it('Q44 a value is erased after the log has the event; the same text later is another value', async () => {
  const system = await testSystem(on)
  await give(system, 'ingest.pause', {})
  const [actor] = (await allEvents(system)).map(({ metadata }) => metadata.actor)
  expect(await erase(system, { confirmed: false })).toMatchObject({ rejection: { code: 'not-confirmed' } })
  expect(await erase(system, { person: 'Ada' })).toMatchObject({ rejection: { code: 'unknown-value' } })
  expect(await erase(system)).toMatchObject({ kind: 'done', stream: personStream(actor!) })
  expect(await orThrow(system.personal.find([actor!]))).toEqual(
    new Map([[actor, { kind: 'erased', at: expect.any(String) }]]),
  )
  expect(await erase(system)).toMatchObject({ rejection: { code: 'unknown-value' } })
  await give(system, 'ingest.unpause', {})
  expect((await allEvents(system)).at(-1)?.metadata.actor).not.toBe(actor)
  expect(await erase(system, { person: 'gHENT', mentions: true })).toMatchObject({
    events: [{ data: { references: [expect.any(String), expect.any(String)] } }],
  })
  expect(await orThrow(system.personal.counts())).toMatchObject({ kept: 2, erased: 3 })
})

it('Q46 values that were put back from an older backup are erased again by the log', async () => {
  const system = await testSystem(on)
  const { personalFolder: folder, home } = system.config
  await give(system, 'ingest.pause', {})
  const backup = join(home, 'backup')
  const at = system.clock.now()
  await noteLast(home, { at, folder: backup })
  const tools = { onBytes: () => {} } as unknown as Parameters<typeof copyValues>[2]
  await copyValues(folder, backup, tools)
  await erase(system)
  expect(await personalValues(system, false)).toMatchObject([
    { status: 'ok' },
    { status: 'warn', says: expect.stringContaining(`(${at}, ${backup}) has values that were erased on`) },
  ])
  // As it is put back.
  system.personal.close()
  rmSync(folder, { recursive: true })
  await copyValues(backup, folder, tools)
  const again = await testSystem({ ...on, home })
  expect(await orThrow(again.personal.referenceOf(by.actor))).toBeDefined()
  await eraseByLog(again)
  expect(await orThrow(again.personal.referenceOf(by.actor))).toBeUndefined()
  expect(await orThrow(again.personal.erasedTo())).toBe(await orThrow(again.eventStore.head()))
})

it('where values or key are away, nothing is written and doctor says so', async () => {
  const system = await testSystem(on)
  await give(system, 'ingest.pause', {})
  system.personal.close()
  const key = join(system.config.personalKeyFolder, 'master.key')
  rmSync(key)
  const again = await testSystem({ ...on, home: system.config.home })
  const command = commandsOf(again.workflows).find(({ name }) => name === 'ingest.unpause')!
  const before = await orThrow(again.eventStore.head())
  expect(await dispatch(again, command, {}, by)).toMatchObject({
    left: { kind: 'Unavailable', reason: expect.stringContaining('put the folder of the key back') },
  })
  expect(await orThrow(again.eventStore.head())).toBe(before)
  expect(await personalValues(again, false)).toMatchObject([{ status: 'fail' }])
})

it('the same reference is given again under the same key, so that a repeat is one', async () => {
  const system = await testSystem(on)
  const command = commandsOf(system.workflows).find(({ name }) => name === 'ingest.pause')!
  const first = await dispatch(system, command, {}, { ...by, key: 'k1' })
  const again = await dispatch(system, command, {}, { ...by, key: 'k1' })
  expect([first, again]).toMatchObject([right({ kind: 'done' }), right({ kind: 'repeated' })])
})
