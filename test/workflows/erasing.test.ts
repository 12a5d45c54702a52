import { readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isRight, right } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished, test, vi } from 'vitest'
import { noteLast } from '#src/app/backup/notes.ts'
import { discardDeadLetter, retryDeadLetter } from '#src/app/dead-letter-service.ts'
import { dispatch } from '#src/app/dispatch.ts'
import { personalValues } from '#src/app/doctor/personal.ts'
import { sealNow } from '#src/app/proof/seal-now.ts'
import { readableValue } from '#src/app/readable-values.ts'
import { createRebuilds } from '#src/app/rebuilds.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { batches } from '#src/domain/ingest/views.ts'
import { idOf } from '#src/domain/kernel/event.ts'
import { personStream } from '#src/domain/kernel/people.ts'
import { bareReference, isPersonal } from '#src/domain/kernel/personal.ts'
import { personalCommitment } from '#src/domain/kernel/personal-commitment.ts'
import { rows } from '#src/domain/kernel/read-views.ts'
import { submitBatch } from '#src/workers/ingest/submit/submit.ts'
import { workflows } from '#src/workflows/all.ts'
import { copyValues } from '#src/workflows/people/copy-people.ts'
import { eraseByLog } from '#src/workflows/people/erase-by-log.ts'
import { commandsOf } from '#src/workflows/workflow.ts'
import { projectionsOf, topicsOf } from '#src/workflows/workflow-model.ts'
import { started, testSystem } from '../app/archive.ts'
import { ask, run } from '../e2e/run-here.ts'
import { filesWith } from '../files-with.ts'
import { patience } from '../patience.ts'
import { allEvents, asText, by, erase, foreignRecord, give, ofType, on, submission } from './erasing-world.ts'

/* Q44, Q45: what enters with a person's wish is in the log by reference. */

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
  expect(await erase(system)).toMatchObject({ kind: 'done', stream: personStream(bareReference(actor!)) })
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

test('Q44 doctor fails where values are lost, also when new ones were kept since', async () => {
  const system = await testSystem(on)
  await give(system, 'ingest.pause', {})
  system.personal.close()
  rmSync(system.config.personalFolder, { recursive: true })
  const again = await testSystem({ ...on, home: system.config.home })
  const lost = { status: 'fail', says: expect.stringContaining('1 event names its actor by a reference') }
  expect(await personalValues(again, true)).toContainEqual(expect.objectContaining(lost))
  const others = await testSystem({ home: system.config.home })
  await give(others, 'settings.set', { setting: 'personalValues', value: 'on' })
  await give(others, 'ingest.unpause', {})
  expect(await personalValues(others, true)).toContainEqual(expect.objectContaining(lost))
})

it('the same reference is given again under the same key, so that a repeat is one', async () => {
  const system = await testSystem(on)
  const command = commandsOf(system.workflows).find(({ name }) => name === 'ingest.pause')!
  const first = await dispatch(system, command, {}, { ...by, key: 'k1' })
  const again = await dispatch(system, command, {}, { ...by, key: 'k1' })
  expect([first, again]).toMatchObject([right({ kind: 'done' }), right({ kind: 'repeated' })])
})

test('Q44 an erasing that is given again under its key is one, also where its own reason names the person', async () => {
  const system = await testSystem(on)
  await give(system, 'ingest.pause', {})
  const command = commandsOf(system.workflows).find(({ name }) => name === 'personal.erase')!
  const wanted = { actor: 'ben', reason: 'Ada of Ghent asked for it', key: 'k1' }
  const eraseGhent = () =>
    dispatch(system, command, { person: 'Ghent', mentions: true, confirmed: true }, wanted)
  expect(await eraseGhent()).toMatchObject(right({ kind: 'done' }))
  // She comes again: what is about her since is not what was erased.
  await give(system, 'ingest.unpause', {})
  const counts = await orThrow(system.personal.counts())
  const head = await orThrow(system.eventStore.head())
  expect(await eraseGhent()).toMatchObject(right({ kind: 'repeated' }))
  expect(await orThrow(system.eventStore.head())).toBe(head)
  expect(await orThrow(system.personal.counts())).toEqual(counts)
})

test('Q45 who types a reference is not shown as the person whom it stands for, and sees nothing of theirs', async () => {
  const system = await testSystem(on)
  await give(system, 'ingest.pause', {})
  const actor = (await allEvents(system)).at(-1)?.metadata.actor ?? ''
  await give(system, 'ingest.unpause', {}, { actor, reason: actor })
  const last = (await allEvents(system)).at(-1)
  expect(last?.metadata.actor).not.toBe(actor)
  const shown = JSON.stringify(await readableValue(system.personal, [last?.metadata, last?.data]))
  expect(shown).toContain(bareReference(actor))
  expect(shown).not.toContain(by.actor)
})

test('Q44 no reference that the archive does not have is erased, nor said to be', async () => {
  const system = await testSystem(on)
  await give(system, 'ingest.pause', {})
  const person = `personal:${'A'.repeat(22)}.${'A'.repeat(43)}`
  expect(await erase(system, { person })).toMatchObject({ rejection: { code: 'unknown-value' } })
})

test('Q45 submitters and recipients are by reference on the topic, in events and views; erased they are nowhere', async () => {
  const system = await testSystem(on)
  await started(system, ['processors', 'reactions', 'projections'])
  const { home } = system.config
  await submitBatch(system, submission.batch, submission as never, 'fonds://submit/test')
  await vi.waitFor(async () => expect(await ofType(system, 'BatchSubmitted')).toHaveLength(1), patience)
  await waitUntilIdle(system)
  for (const text of ['brandt.ada', 'ben.maes@example']) expect(filesWith(home, text)).toEqual([])
  const [row] = rows(system.viewStore, batches)
  expect(await orThrow(system.personal.find([row!.submitter]))).toMatchObject(
    new Map([[row!.submitter, { text: submission.submitter }]]),
  )
  const env = { FONDS_PERSONAL_VALUES: 'on' }
  for (const asked of [
    ['ingest', 'batches', '--submitter', submission.submitter],
    ['query', 'ingest-batches', '--where', `submitter=${submission.submitter}`],
  ]) {
    expect(await ask(asked, { home, env })).toMatchObject([{ submitter: submission.submitter }])
    expect(await ask([...asked.slice(0, -1), 'submitter=nobody'], { home, env })).toEqual([])
  }
  expect(await ask(['find', submission.submitter], { home, env })).toMatchObject([{ kind: 'ingest-batches' }])
  await erase(system, { person: 'brandt.ada@example.org' })
  const copy = join(home, '..', `${basename(home)}-backup`)
  expect(await run(['backup', copy], { home, env })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`the key of personal values is in ${system.config.personalKeyFolder}`),
  })
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  for (const text of ['brandt.ada', 'ben.maes@example'])
    for (const folder of [home, copy]) expect(filesWith(folder, text)).toEqual([])
})

test('Q45 what others put on a topic is by reference in the log, and in dead letters with its bytes', async () => {
  const system = await testSystem(on)
  await ensureTopics(system)
  const good = foreignRecord(system, {})
  // As another system writes it, which knows nothing of references.
  const bad = { ...good, value: JSON.stringify({ ...submission, mode: 'brandt.ada says add' }) }
  const given = (await testSystem({ home: system.config.home })).broker
  await orThrow(given.produce([good, bad]))
  await started(system, ['processors', 'reactions', 'projections'])
  await vi.waitFor(async () => expect(await ofType(system, 'DeadLettered')).toHaveLength(1), patience)
  await vi.waitFor(async () => expect(await ofType(system, 'BatchSubmitted')).toHaveLength(1), patience)
  expect(asText(await ofType(system, 'DeadLettered'))).not.toContain('brandt')
  expect(asText(await ofType(system, 'BatchSubmitted'))).not.toContain('brandt')
  const [letter] = await ofType(system, 'DeadLettered')
  const id = idOf(letter!.stream)
  const retried = await retryDeadLetter(system, id, by)
  expect(retried).toMatchObject(right({ outcome: 'done' }))
  await vi.waitFor(async () => expect(await ofType(system, 'DeadLettered')).toHaveLength(2), patience)
  await erase(system, { person: 'brandt.ada', mentions: true })
  const again = idOf((await ofType(system, 'DeadLettered'))[1]!.stream)
  expect(await retryDeadLetter(system, again, by)).toMatchObject({
    left: { kind: 'NotTaken', reason: expect.stringContaining('the bytes of the message were erased on') },
  })
})

test('docs/erasing.md names each personal field of each message', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/erasing.md'), 'utf8')
  const declared = topicsOf(workflows).flatMap(({ messages }) =>
    messages.flatMap(({ type, personal = [] }) => personal.map((field) => `\`${field}\` of \`${type}\``)),
  )
  expect(declared.length).toBeGreaterThan(5)
  expect(declared.filter((field) => !page.includes(field))).toEqual([])
  expect([...page.matchAll(/`[a-zA-Z.]+` of `[a-z]+\.[a-z]+`/g)].map(([field]) => field).sort()).toEqual(
    declared.sort(),
  )
})

test('Q41, Q44 proofs hold after erasing, and exports have references', async () => {
  const system = await testSystem(on)
  const { home } = system.config
  await give(system, 'ingest.pause', {})
  const [actor] = (await allEvents(system)).map(({ metadata }) => metadata.actor)
  expect(await sealNow(system)).toBeUndefined()
  const [shown] = await ask(['people', 'show', actor!], { home })
  expect(shown).toEqual({ reference: actor, value: by.actor, salt: expect.any(String) })
  expect(actor).toBe(
    `${actor!.slice(0, 'personal:'.length + 22)}.${personalCommitment(Buffer.from(shown.salt, 'base64url'), by.actor)}`,
  )
  await erase(system)
  expect(await sealNow(system)).toBeUndefined()
  const exported = join(home, 'exported')
  for (const asked of [['check'], ['export', exported], ['verify', exported]])
    expect(await run(['proof', ...asked], { home })).toMatchObject({ code: 0 })
  expect(filesWith(home, by.actor)).toEqual([])
  expect(filesWith(exported, actor!)).not.toEqual([])
  expect(await ask(['people', 'show', actor!], { home })).toEqual([
    { reference: actor, erasedAt: expect.any(String) },
  ])
  expect(
    await run(['people', 'show', `personal:${'A'.repeat(22)}.${'A'.repeat(43)}`], { home }),
  ).toMatchObject({
    code: 1,
  })
  expect(await run(['people', 'show', 'ada'], { home })).toMatchObject({ code: 2 })
})
