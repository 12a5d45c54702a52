import { isRight, right } from 'fp-ts/lib/Either.js'
import { expect, it, test, vi } from 'vitest'
import { discardDeadLetter, retryDeadLetter, showDeadLetter } from '#src/app/dead-letter-service.ts'
import { readableValue } from '#src/app/readable-values.ts'
import type { System } from '#src/app/system.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { idOf } from '#src/domain/kernel/event.ts'
import { bareReference, isPersonal } from '#src/domain/kernel/personal.ts'
import type { RecordPlace } from '#src/ports/broker.ts'
import { submitBatch } from '#src/workers/ingest/submit/submit.ts'
import { started, testSystem } from '../app/archive.ts'
import { filesWith } from '../files-with.ts'
import { patience } from '../patience.ts'
import { allEvents, asText, by, erase, foreignRecord, ofType, on, submission } from './erasing-world.ts'

/* Q45: a reference that a sender types is a text like any other; those of the archive's own messages are told by its mark. */

const other = '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e22'

interface Submitted {
  readonly submitter: string
  readonly notifyTo: readonly string[]
}

const working = async () => {
  const system = await testSystem(on)
  await ensureTopics(system)
  const [reference = ''] = await orThrow(system.personal.seal([submission.submitter]))
  const given = (await testSystem({ home: system.config.home })).broker
  const start = () => started(system, ['processors', 'projections'])
  return { system, reference, given, start }
}

const submitted = async (system: System, count: number) => {
  await vi.waitFor(async () => expect(await ofType(system, 'BatchSubmitted')).toHaveLength(count), patience)
  return (await ofType(system, 'BatchSubmitted')).map(
    ({ data }) => (data as { readonly submission: Submitted }).submission,
  )
}

const at = async ({ broker }: Pick<System, 'broker'>, { topic, partition, offset }: RecordPlace) => {
  const [record] = await orThrow(broker.peek(topic, partition, offset, 1))
  return record ?? expect.fail('no record is there')
}

const retried = async (system: System, id: string) => {
  const done = await retryDeadLetter(system, id, by)
  return isRight(done) && done.right.placed ? at(system, done.right.placed) : expect.fail(asText(done))
}

const expectNobody = async (system: System, reference: string, shown: object) => {
  const text = asText(await readableValue(system.personal, shown))
  expect(text).toContain(bareReference(reference))
  expect(text).not.toContain(submission.submitter)
}

it('takes no reference that a sender typed for the person, from here and from elsewhere', async () => {
  const { system, reference, given, start } = await working()
  const typed = { submitter: reference, notifyTo: [reference] }
  await submitBatch(system, submission.batch, { ...submission, ...typed } as never, 'urn:here')
  await orThrow(given.produce([foreignRecord(system, typed, other)]))
  await start()
  for (const one of await submitted(system, 2)) {
    expect(isPersonal(one.submitter)).toBe(true)
    expect([one.submitter, ...one.notifyTo]).not.toContain(reference)
    await expectNobody(system, reference, one)
  }
})

it('tells what it sealed itself by a mark, which holds for that message alone', async () => {
  const { system, reference, given, start } = await working()
  const [place] = await orThrow(system.broker.produce([foreignRecord(system, {})]))
  const { headers, value } = await at(system, place!)
  expect(String(value)).toContain(reference)
  const moved = foreignRecord(system, { submitter: reference, notifyTo: [] }, other)
  await orThrow(
    given.produce([{ ...moved, headers: { ...moved.headers, 'fonds-sealed': headers['fonds-sealed']! } }]),
  )
  await start()
  const [first, second] = await submitted(system, 2)
  expect(first!.submitter).toBe(reference)
  expect(second!.submitter).not.toBe(reference)
  await expectNobody(system, reference, second!)
})

test('a dead letter whose bytes are a reference does not show the value', async () => {
  const { system, reference, given, start } = await working()
  const good = foreignRecord(system, {})
  await orThrow(given.produce([{ ...good, value: reference, key: reference }]))
  await start()
  await vi.waitFor(async () => expect(await ofType(system, 'DeadLettered')).toHaveLength(1), patience)
  const [letter] = await ofType(system, 'DeadLettered')
  expect(asText(letter)).not.toContain(reference)
  await expectNobody(system, reference, letter!.data as object)
})

test('a dead letter has key and headers by reference, and comes back with them; a message sealed before stays so', async () => {
  const { system, reference, given, start } = await working()
  const { home } = system.config
  const good = foreignRecord(system, {})
  const bad = {
    ...good,
    key: 'brandt.ada-key',
    headers: { ...good.headers, ce_subject: 'brandt.ada-subject', 'x-note': 'brandt.ada-note' },
  }
  await orThrow(given.produce([bad]))
  await start()
  await vi.waitFor(async () => expect(await ofType(system, 'DeadLettered')).toHaveLength(1), patience)
  const [letter] = await ofType(system, 'DeadLettered')
  expect(asText(letter)).not.toContain('brandt.ada')
  const id = idOf(letter!.stream)
  const shown = await readableValue(system.personal, await showDeadLetter(system, id))
  expect(shown).toMatchObject(right({ key: bad.key, headers: bad.headers, value: good.value }))
  const again = await retried(system, id)
  expect(again).toMatchObject({ key: bad.key, headers: bad.headers })
  // Its fields are by reference, as of any message that is sent.
  expect(String(again.value)).toContain(reference)
  expect(String(again.value)).not.toContain('brandt.ada')

  await vi.waitFor(async () => expect(await ofType(system, 'DeadLettered')).toHaveLength(2), patience)
  const twice = idOf((await ofType(system, 'DeadLettered'))[1]!.stream)
  expect((await retried(system, twice)).value).toBe(again.value)
  await vi.waitFor(async () => expect(await ofType(system, 'DeadLettered')).toHaveLength(3), patience)

  await erase(system, { person: 'brandt.ada', mentions: true })
  const last = idOf((await ofType(system, 'DeadLettered'))[2]!.stream)
  const edited = { ...by, edited: good.value }
  expect(await retryDeadLetter(system, last, edited)).toMatchObject({
    left: { kind: 'NotTaken', reason: expect.stringContaining('its key or headers were erased on') },
  })
  await discardDeadLetter(system, last, by)
  expect((await allEvents(system)).at(-1)).toMatchObject({ type: 'DeadLetterDiscarded' })
  expect(filesWith(home, 'brandt.ada-note')).toEqual([])
})
