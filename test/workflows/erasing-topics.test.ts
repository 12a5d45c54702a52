import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { left } from 'fp-ts/lib/Either.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { personalValues } from '#src/app/doctor/personal.ts'
import type { System } from '#src/app/system.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { submissionsTopic } from '#src/domain/ingest/messages.ts'
import type { TopicInfo } from '#src/ports/broker.ts'
import { markedAmong, markHeader } from '#src/processors/runtime/message-marks.ts'
import { eraseByLog } from '#src/workflows/people/erase-by-log.ts'
import { started, testSystem } from '../app/archive.ts'
import { run } from '../e2e/run-here.ts'
import { filesWith } from '../files-with.ts'
import { patience } from '../patience.ts'
import { erase, foreignRecord, give, ofType, on, submission } from './erasing-world.ts'

/* Q45: values that other systems put on embedded topics are overwritten where they are; on Kafka they go with its retention. */

const person = submission.submitter

/** An archive, and its topics as another system has them, which knows nothing of references. */
const working = async () => {
  const system = await testSystem(on)
  await ensureTopics(system)
  const given = (await testSystem({ home: system.config.home })).broker
  return { system, given, home: system.config.home }
}

const recordsOf = async ({ broker }: System) => {
  const [topic] = (await orThrow(broker.topics())).filter(({ name }) => name === submissionsTopic.name)
  const all = await Promise.all(
    topic!.offsets.map(({ partition }) => orThrow(broker.peek(topic!.name, partition, 0n, 100))),
  )
  return all.flat()
}

const expectNowhere = async (home: string, ...texts: readonly string[]) => {
  const copy = join(home, '..', `${basename(home)}-backup`)
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  expect(await run(['backup', copy], { home, env: { FONDS_PERSONAL_VALUES: 'on' } })).toMatchObject({
    code: 0,
  })
  for (const text of texts) for (const folder of [home, copy]) expect(filesWith(folder, text)).toEqual([])
}

test('a message that was used is by reference, with what it was otherwise', async () => {
  const { system, given, home } = await working()
  await orThrow(given.produce([foreignRecord(system, {})]))
  await started(system, ['processors', 'reactions', 'projections'])
  await vi.waitFor(async () => expect(await ofType(system, 'BatchSubmitted')).toHaveLength(1), patience)
  await waitUntilIdle(system)
  const [before] = await recordsOf(system)
  expect(String(before!.value)).toContain(person)
  await erase(system, { person })
  const [after] = await recordsOf(system)
  const { headers, value, ...rest } = after!
  expect({ ...rest, id: headers.ce_id }).toEqual({
    topic: before!.topic,
    partition: before!.partition,
    offset: before!.offset,
    key: before!.key,
    timestamp: before!.timestamp,
    id: before!.headers.ce_id,
  })
  const [event] = await ofType(system, 'BatchSubmitted')
  expect(event!.data).toMatchObject({ submission: { submitter: JSON.parse(String(value)).submitter } })
  await erase(system, { person: 'ben.maes', mentions: true })
  await expectNowhere(home, 'brandt.ada', 'ben.maes@example')
})

test('a message that nobody has read yet is used with the reference of what was erased', async () => {
  const { system, given, home } = await working()
  await orThrow(given.produce([foreignRecord(system, {})]))
  const [reference] = await orThrow(system.personal.seal([person]))
  await erase(system, { person })
  expect(filesWith(home, 'brandt.ada')).toEqual([])
  await started(system, ['processors', 'reactions', 'projections'])
  await vi.waitFor(async () => expect(await ofType(system, 'BatchSubmitted')).toHaveLength(1), patience)
  expect((await ofType(system, 'BatchSubmitted'))[0]).toMatchObject({
    data: { submission: { submitter: reference } },
  })
})

test('the bytes, key and headers of a message that became a dead letter go with their values', async () => {
  const { system, given, home } = await working()
  const good = foreignRecord(system, {})
  await orThrow(
    given.produce([
      {
        ...good,
        key: 'brandt.ada-key',
        headers: { ...good.headers, note: 'brandt.ada-note' },
        value: '{"brandt.ada": 1',
      },
    ]),
  )
  await started(system, ['processors', 'reactions', 'projections'])
  await vi.waitFor(async () => expect(await ofType(system, 'DeadLettered')).toHaveLength(1), patience)
  await waitUntilIdle(system)
  await erase(system, { person: 'brandt.ada', mentions: true })
  await expectNowhere(home, 'brandt.ada')
  expect((await recordsOf(system))[0]!.headers.ce_id).toBe(good.headers.ce_id)
})

test('a message whose key goes, too, keeps the mark of the archive; one that claims a mark gets none', async () => {
  const { system, given } = await working()
  const key = 'brandt.ada-key'
  const own = { ...foreignRecord(system, {}), key }
  await orThrow(system.broker.produce([own]))
  await orThrow(
    given.produce([{ topic: own.topic, key, headers: { [markHeader]: 'of another' }, value: '{"a": 1' }]),
  )
  await orThrow(system.personal.seal([key]))
  await erase(system, { person: key })
  const records = await recordsOf(system)
  expect(records.map(({ key }) => key)).not.toContain(key)
  expect(await markedAmong(system, records)).toEqual(new Set(records.filter(({ headers }) => headers.ce_id)))
})

test('where the topics are away, the log has it, the value stays until they are back, and is erased with them then', async () => {
  const { system, given, home } = await working()
  await orThrow(given.produce([foreignRecord(system, {})]))
  const [reference] = await orThrow(system.personal.seal([person]))
  const { overwrite } = system.broker
  Object.assign(system.broker, { overwrite: () => async () => left({ kind: 'Unavailable', reason: 'away' }) })
  await expect(erase(system, { person })).rejects.toThrow('away')
  expect(await ofType(system, 'PersonErased')).toHaveLength(1)
  expect((await orThrow(system.personal.find([reference!]))).get(reference!)).toMatchObject({ kind: 'value' })
  Object.assign(system.broker, { overwrite })
  // As another process does, or this one once it is started again.
  const again = await testSystem({ ...on, home })
  await eraseByLog(again)
  expect((await orThrow(again.personal.find([reference!]))).get(reference!)).toMatchObject({ kind: 'erased' })
  await expectNowhere(home, 'brandt.ada')
})

test('on Kafka the answer and doctor say which topics keep values, and for how long', async () => {
  const { system } = await working()
  await orThrow(system.personal.seal([person]))
  const day = 24 * 3600 * 1000
  const topic = (name: string, retentionMillis?: number): TopicInfo => ({
    ...{ name, partitions: 1, offsets: [] },
    ...(retentionMillis !== undefined && { retentionMillis }),
  })
  const topics = [
    topic('fonds.ingest.submissions', 7 * day),
    topic('fonds.research.results'),
    topic('fonds.ingest.jobs', day),
  ]
  Object.assign(system.config, { broker: 'kafka://broker.example:9092' })
  Object.assign(system.broker, { topics: () => async () => ({ _tag: 'Right', right: topics }) })
  const says =
    'topics on Kafka keep what other systems put there: fonds.ingest.submissions for 7 days; fonds.research.results for ever, as far as can be asked'
  expect(await give(system, 'personal.erase', { person })).toMatchObject({
    rejection: {
      code: 'not-confirmed',
      message: expect.stringContaining(`Older backups keep what they have, and ${says}`),
    },
  })
  expect(await personalValues(system, false)).toContainEqual(
    expect.objectContaining({ says: expect.stringContaining(says) }),
  )
})
