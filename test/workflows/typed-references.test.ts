import { isRight, right } from 'fp-ts/lib/Either.js'
import { expect, it, test, vi } from 'vitest'
import { discardDeadLetter, retryDeadLetter, showDeadLetter } from '#src/app/dead-letter-service.ts'
import { readableValue } from '#src/app/readable-values.ts'
import { sealedActor } from '#src/app/sealed-by.ts'
import type { System } from '#src/app/system.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { contentTopic } from '#src/domain/fixity/messages.ts'
import { writeMessage } from '#src/domain/kernel/cloud-event.ts'
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

test('a reference that was typed in any field or attribute shows nobody, nor is anybody the actor', async () => {
  const { system, reference, given, start } = await working()
  const title = {
    ...{ submitter: 'ben', notifyTo: [] },
    description: { what: `of ${reference}`, [reference]: reference },
  }
  const binary = foreignRecord(system, title)
  const named = { ...binary.headers, ce_source: reference, ce_id: reference, ce_correlationid: reference }
  const data = { ...submission, batch: other, ...title }
  const structured = (more: object) => ({
    ...binary,
    key: other,
    headers: { 'content-type': 'application/cloudevents+json' },
    value: JSON.stringify({
      ...{ specversion: '1.0', id: other, source: reference, type: 'batch.submitted', subject: reference },
      ...more,
    }),
  })
  await orThrow(
    given.produce([
      { ...binary, headers: named },
      structured({ data }),
      structured({ data_base64: Buffer.from(JSON.stringify(data)).toString('base64') }),
      { ...binary, headers: named, value: '{' },
    ]),
  )
  await orThrow(system.broker.produce([{ ...binary, headers: { ...named, ce_id: 'here' } }]))
  await start()
  await vi.waitFor(async () => expect(await ofType(system, 'DeadLettered')).toHaveLength(1), patience)
  await submitted(system, 2)
  const events = await allEvents(system)
  expect(events.map(({ metadata }) => metadata.actor)).toContain(bareReference(reference))
  await expectNobody(
    system,
    reference,
    events.map(({ id: _, ...event }) => ({ ...event, position: 0 })),
  )
  expect(asText(events)).not.toContain(`"actor":"${reference}`)
})

test('who signed in is the actor of what they send, on a topic without personal fields, too', async () => {
  const { system, start } = await working()
  const person = await sealedActor(system, by.actor)
  const message = (id: string) =>
    writeMessage(
      {
        ...{ id, source: person, type: 'content.recorded', time: system.clock.now() },
        data: {
          store: 'main',
          path: `of ${person}/${id}`,
          checksums: [{ algorithm: 'md5', value: 'd41d8cd98f00b204e9800998ecf8427e' }],
        },
      },
      contentTopic,
    )
  await orThrow(system.broker.produce([{ ...message('a'), sealedSource: true }, message('b')]))
  await start()
  const removed = await vi.waitFor(async () => {
    const events = (await allEvents(system)).filter(({ metadata }) => /#[ab]$/.test(metadata.causationId))
    expect(events).toHaveLength(2)
    return events
  }, patience)
  expect(removed.map(({ metadata }) => metadata.actor).toSorted()).toEqual(
    [person, bareReference(person)].toSorted(),
  )
  expect(asText(removed)).not.toContain(`of ${person}`)
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
