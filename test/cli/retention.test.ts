import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { ensureTopics } from '#src/app/topics.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { deadLetterStream, deadLetters } from '#src/domain/kernel/dead-letter.ts'
import { DAY } from '#src/domain/kernel/time.ts'
import { foreignEvent, inUse, retentionRounds, setDaysLater } from '../app/proof/retention-rounds.ts'
import { contentTopic, useFonds } from './fonds.ts'

/* Q20: the leaf stays, the body goes, and an event says so. */

const fonds = useFonds()
const by = ['--actor', 'ada', '--reason', 'schedule, no. 12']
const set = (category: string, days: number) => fonds.run(['retention', 'set', category, String(days), ...by])
const run = (...more: string[]) =>
  fonds.run([
    'do',
    'retention.run',
    'category=sensor',
    '--actor',
    'ben',
    '--reason',
    'before the audit',
    ...more,
  ])
const list = async () => (await fonds.run(['retention', 'list'])).rows
const rounds = (count: number) =>
  fonds.withSystem(async (system) => {
    const round = retentionRounds(system, fonds.home)
    for (let n = 0; n < count; n++) await round()
  })
const check = () => fonds.run(['proof', 'check'])

const measured = () =>
  fonds.withSystem(async ({ eventStore }) => {
    for (const days of [90, 80, 70, 3]) {
      await foreignEvent(eventStore, 'sensor-a', days, { text: `secret-q20-${days}` })
      await foreignEvent(eventStore, `sensor-b${days}`, days)
    }
    await foreignEvent(eventStore, 'other-a', 90)
  })
const sensors = () =>
  fonds.withSystem(async ({ eventStore }) =>
    (await orThrow(eventStore.readAll(-1n, { categories: ['sensor', 'other'] }, 100))).events.map(
      ({ stream, revision }) => `${stream} ${revision}`,
    ),
  )

describe('a policy on streams of another program', () => {
  test('says what would go, names it in the log, and removes it when that is sealed', async () => {
    await measured()
    expect((await set('sensor', 30)).code).toBe(0)
    expect(await list()).toMatchObject([
      {
        category: 'sensor',
        days: 30,
        actor: 'ada',
        reason: 'schedule, no. 12',
        dueStreams: 4,
        dueEvents: 6,
        removed: 0,
      },
    ])
    expect(await run('--confirm')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no home has a Merkle tree'),
    })
    await rounds(1)
    const asked = await run()
    expect(asked).toMatchObject({ code: 1 })
    expect(asked.err).toContain('6 events of 4 streams would go, and nothing brings them back')
    expect(await fonds.run(['retention', 'run', 'sensor', ...by])).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('give confirmed=true. Older backups keep what they have') },
    })
    expect(await run('--confirm', '--id', 'r1')).toMatchObject({ code: 0, rows: [{ outcome: 'done' }] })
    expect(await sensors()).toHaveLength(9)

    // Named, and sealed no earlier than in the next round.
    await rounds(1)
    expect(await sensors()).toHaveLength(9)
    expect(await list()).toMatchObject([{ named: 6, removed: 0, dueEvents: null }])
    await rounds(1)
    expect(await sensors()).toEqual(['sensor-a 3', 'sensor-b3 0', 'other-a 0'])
    expect(await list()).toMatchObject([{ named: 0, removed: 6, dueEvents: 0 }])
    expect(await run('--confirm', '--id', 'r1')).toMatchObject({ code: 0, rows: [{ outcome: 'repeated' }] })
    expect((await run('--confirm')).err).toContain('no event of sensor-… is older than')

    const { rows } = await fonds.run(['events', '--type', 'EventsRemoved'])
    expect(rows).toMatchObject([
      {
        stream: 'retention-sensor',
        data: {
          policy: { days: 30, actor: 'ada', reason: 'schedule, no. 12' },
          streams: [
            { stream: 'sensor-a', before: '3', events: 3 },
            { stream: 'sensor-b90', before: '1', events: 1 },
            { stream: 'sensor-b80', before: '1', events: 1 },
            { stream: 'sensor-b70', before: '1', events: 1 },
          ],
          events: 6,
          isLast: true,
        },
        metadata: { actor: 'fonds/sealer' },
      },
    ])
    const file = readFileSync(join(fonds.home, 'fonds.db')).toString('latin1')
    expect(['secret-q20-90', 'secret-q20-80', 'secret-q20-3'].map((text) => file.includes(text))).toEqual([
      false,
      false,
      true,
    ])
  })

  test('goes on without what was removed: checks, rebuilds and doctor', async () => {
    await measured()
    await fonds.run(['rebuild', '--all'])
    await set('sensor', 30)
    await rounds(1)
    await run('--confirm')
    await rounds(3)
    expect(await check()).toMatchObject({ code: 0, rows: [{ removed: 6, deleted: 0 }] })
    expect((await fonds.run(['proof', 'check'], { terminal: 200 })).out).toContain(
      '6 sealed events removed since by policies that events in the log tell of',
    )
    const rebuilt = await fonds.run(['rebuild', '--all', '--verify'])
    expect(rebuilt.rows.length).toBeGreaterThan(10)
    expect(rebuilt.rows.filter(({ verdict, sealed }) => verdict !== 'equal' || sealed !== 'same')).toEqual([])
    expect(rebuilt.code).toBe(0)
    const doctor = await fonds.run(['doctor'])
    expect(doctor.rows).toContainEqual({
      ...{ check: 'retention', status: 'ok', todo: null },
      says: expect.stringMatching(/^sensor: 0 events of 0 streams due; 6 events removed, last on \d/),
    })
    expect(doctor.rows.filter(({ status, check }) => status === 'fail' && check !== 'proof')).toEqual([])
  })

  test('an index of the log that was folded before, in another home, differs: the answer gives the reason', async () => {
    await measured()
    await fonds.run(['rebuild', '--all'])
    await set('sensor', 30)
    await rounds(1)
    await run('--confirm')
    await fonds.withSystem(async (system) => {
      const viewStore = { ...system.viewStore, live: () => undefined }
      const round = retentionRounds({ ...system, viewStore }, fonds.home)
      for (let n = 0; n < 3; n++) await round()
    })
    const found = await fonds.run(['rebuild', 'log-index', '--verify'])
    expect(found.code).toBe(1)
    expect(found.err).toContain(
      'the rows of log-index were folded from more events than the log has: 6 events removed',
    )
    expect((await fonds.run(['rebuild', 'log-index'])).code).toBe(0)
    expect((await fonds.run(['rebuild', 'log-index', '--verify'])).code).toBe(0)
  })

  test('events, days and moments are those of the log that is left', async () => {
    await measured()
    await fonds.run(['rebuild', '--all'])
    await set('sensor', 30)
    await rounds(1)
    await run('--confirm')
    await rounds(3)
    const ofSensor = await fonds.run(['events'])
    expect(
      ofSensor.rows
        .filter(({ type }) => type === 'Measured')
        .map(({ stream, revision }) => `${stream} ${revision}`),
    ).toEqual([...['sensor-a 3', 'sensor-b3 0', 'other-a 0']])
    expect((await fonds.run(['events', '--stream', 'sensor-a'])).rows).toHaveLength(1)
    expect((await fonds.run(['events', '--stream', 'sensor-b90'])).rows).toEqual([])
    const past = await fonds.run(['query', 'dead-letters', '--as-of', '2999-01-01T00:00:00Z'])
    expect(past).toMatchObject({ code: 0 })
    const earlier = await fonds.run(['retention', 'list', '--as-of', '2000-01-01T00:00:00Z'])
    expect(earlier).toMatchObject({ code: 0, rows: [] })
  })

  test('covers what it names alone: a further event that goes by SQL is found', async () => {
    await measured()
    await set('sensor', 30)
    await rounds(1)
    await run('--confirm')
    await rounds(3)
    const db = new DatabaseSync(join(fonds.home, 'fonds.db'))
    db.exec(`DROP TRIGGER events_never_go;
      DELETE FROM events WHERE stream_id IN (SELECT id FROM streams WHERE name IN ('sensor-a', 'other-a'))`)
    db.close()
    const found = await check()
    expect(found.code).toBe(1)
    expect(found.rows.map(({ says }) => says)).toEqual([
      expect.stringMatching(/^revision 3 of sensor-a was sealed as leaf \d+, and is not in the log$/),
      expect.stringMatching(/^revision 0 of other-a was sealed as leaf \d+, and is not in the log$/),
    ])
  })

  test('is lifted: nothing more goes', async () => {
    await measured()
    await set('sensor', 30)
    await rounds(1)
    expect((await fonds.run(['retention', 'lift', 'sensor', ...by])).code).toBe(0)
    expect(await run('--confirm')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no policy is set for sensor'),
    })
    await rounds(2)
    expect(await sensors()).toHaveLength(9)
    expect((await fonds.run(['retention', 'list'], { terminal: 160 })).out).toContain('lifted')
  })
})

describe('a policy on dead letters', () => {
  const letters = async (...args: string[]) => (await fonds.run(['dead-letters', 'list', ...args])).rows
  const spoil = (...values: readonly string[]) =>
    fonds.withSystem(async (system) => {
      await ensureTopics(system)
      const records = values.map((value) => ({ topic: contentTopic, key: 'k', headers: {}, value }))
      await orThrow(system.broker.produce(records))
    })
  const handle = () => fonds.run(['produce', contentTopic, '--wait'], { stdin: '' })
  /** As if the policy were applied so many days later. */
  const later = (days: number, count: number) => {
    setDaysLater(days)
    return fonds.withSystem(async (system) => {
      await inUse(system)
      const monotonic = () => system.clock.monotonic() + days * DAY
      const clock = { ...system.clock, monotonic: system.clock.monotonic }
      const round = retentionRounds({ ...system, clock }, fonds.home)
      clock.monotonic = monotonic
      for (let n = 0; n < count; n++) await round()
    })
  }

  test('removes those that were settled, daily, and no other; the same message may fail again', async () => {
    await spoil('{not json', '{neither')
    await handle()
    const [settled, waiting] = await letters()
    const id = String(settled!.id)
    await fonds.run(['dead-letters', 'discard', id, ...by])
    expect((await set('deadletter', 30)).code).toBe(0)
    await later(29, 2)
    expect(await letters('--status', 'all')).toHaveLength(2)
    await later(31, 2)
    expect(await letters('--status', 'all')).toMatchObject([{ id: waiting!.id, status: 'waiting' }])
    expect(await list()).toMatchObject([{ category: 'deadletter', named: 0, removed: 2 }])
    expect((await fonds.run(['dead-letters', 'show', id])).code).toBe(1)
    for (const name of ['dead-letters', 'log-index'])
      expect((await fonds.run(['rebuild', name, '--verify'])).rows).toMatchObject([{ verdict: 'equal' }])
    expect(await check()).toMatchObject({ code: 0, rows: [{ removed: 2, deleted: 0 }] })

    // Delivered again, it becomes a dead letter in the same stream.
    await fonds.withSystem(async ({ execute, clock }) => {
      const letter = {
        processor: 'fixity',
        topic: contentTopic,
        partition: 0,
        offset: '0',
        key: 'k',
        headers: {},
      }
      const invalid = {
        value: '{not json',
        encoding: 'text',
        reason: 'not-json',
        path: null,
        message: 'no',
      } as const
      const command = {
        type: 'DeadLetter',
        actor: 'fixity',
        at: clock.now(),
        letter: { ...letter, ...invalid },
      } as const
      const stream = deadLetterStream(id)
      expect(await orThrow(() => execute(deadLetters, { stream, command, causationId: 'p' }))).toMatchObject({
        ...{ kind: 'done', revision: 2n },
      })
    })
    await handle()
    expect(await letters()).toHaveLength(2)
    expect((await fonds.run(['rebuild', 'dead-letters', '--verify'])).rows).toMatchObject([
      { verdict: 'equal' },
    ])
    expect(await check()).toMatchObject({ code: 0, rows: [{ removed: 2, deleted: 0 }] })
  })

  test('of events that a view needs is refused with the view', async () => {
    const refused = await set('fixity', 30)
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/nothing of fixity may be removed: the views fixity.* are folded from/)
    expect((await set('a-b', 30)).code).toBe(2)
    expect((await set('sensor', 0)).code).toBe(2)
    expect((await fonds.run(['retention', 'list'], { terminal: 100 })).err).toContain('no policy is set')
  })
})
