import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { deadLetterStream, deadLetters } from '#src/domain/kernel/dead-letter.ts'
import { type EventsRemoved, type RetentionPolicy, retentionStream } from '#src/domain/kernel/retention.ts'
import { countDue, dueBy } from '#src/projections/retention/due-events.ts'
import { policiesOfLog } from '#src/projections/retention/policies.ts'
import { testSystem } from './archive.ts'
import { foreignEvent, inUse, retentionRounds } from './proof/retention-rounds.ts'

/* Q20: whoever may write to the log may write `EventsRemoved`. It removes no more than the policy in force allows. */

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const policy: RetentionPolicy = { days: 30, actor: 'ada', reason: 'schedule, no. 12', at: daysAgo(40) }

let ids = 0
const write = async (
  { eventStore }: System,
  type: 'RetentionSet' | 'EventsRemoved',
  data: object,
  stream: string,
) => {
  const metadata = { actor: 'eve', causationId: 'c', correlationId: 'c', schema: 1 }
  const id = `0190c3b0-0000-7000-8000-9999${String(ids++).padStart(8, '0')}`
  await orThrow(eventStore.append(stream, 'any', [{ id, type, data, metadata }]))
}
const set = (system: System, category: string, of: RetentionPolicy = policy) =>
  write(system, 'RetentionSet', { category, ...of }, retentionStream(category))
const names = (
  system: System,
  category: string,
  streams: Readonly<Record<string, string>>,
  more: Partial<EventsRemoved> = {},
  at = retentionStream(category),
) => {
  const parts = Object.entries(streams).map(([stream, before]) => ({
    stream,
    before,
    events: Number(before),
  }))
  const events = parts.reduce((sum, one) => sum + one.events, 0)
  const whole = {
    category,
    policy,
    olderThan: daysAgo(30),
    streams: parts,
    events,
    isLast: true,
    at: daysAgo(0),
  }
  return write(system, 'EventsRemoved', { ...whole, ...more }, at)
}
const rounds = async (system: System, count = 2): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-retention-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await inUse(system)
  const round = retentionRounds(system, folder)
  for (let n = 0; n < count; n++) await round()
}
const revisions = async ({ eventStore }: System, stream: string) =>
  (await orThrow(eventStore.read(stream, 'start', 'forward', 100))).map(({ revision }) => Number(revision))
const newest = async ({ eventStore }: System, category: string) =>
  (await orThrow(eventStore.read(retentionStream(category), 'end', 'backward', 1)))[0]

const letter = {
  ...{ processor: 'fixity', topic: 'fonds.fixity.content', partition: 0, offset: '0', key: null },
  ...{ headers: {}, value: 'x', encoding: 'text' as const, reason: 'not-json', path: null, message: 'no' },
}
const fail = (system: System, id: string) => {
  const command = { type: 'DeadLetter', actor: 'fixity', at: system.clock.now(), letter } as const
  const given = { stream: deadLetterStream(id), command, causationId: `fail/${id}` }
  return orThrow(() => system.execute(deadLetters, given))
}

describe('an event that another program wrote', () => {
  it('removes what the policy allows, as one of Fonds does', async () => {
    const system = await testSystem()
    for (const days of [90, 80, 3]) await foreignEvent(system.eventStore, 'sensor-a', days)
    await set(system, 'sensor')
    await names(system, 'sensor', { 'sensor-a': '2' })
    await rounds(system)
    expect(await revisions(system, 'sensor-a')).toEqual([2])
  })

  it('removes nothing that a view needs, even where it names the policy', async () => {
    const system = await testSystem()
    await foreignEvent(system.eventStore, 'fixity-main/a', 90)
    await set(system, 'fixity')
    await names(system, 'fixity', { 'fixity-main/a': '1' })
    await rounds(system)
    expect(await revisions(system, 'fixity-main/a')).toEqual([0])
  })

  it('removes no stream of another category, and no dead letter that waits', async () => {
    const system = await testSystem()
    await foreignEvent(system.eventStore, 'sensor-a', 90)
    await fail(system, 'one')
    await set(system, 'deadletter')
    await names(system, 'deadletter', { 'sensor-a': '1', [deadLetterStream('one')]: '1' })
    await rounds(system)
    expect([await revisions(system, 'sensor-a'), await revisions(system, deadLetterStream('one'))]).toEqual([
      [0],
      [0],
    ])
    expect(await newest(system, 'deadletter')).toMatchObject({
      ...{ type: 'RemovalCarriedOut', data: { events: 0, stayed: 2 } },
    })
  })

  it('in the stream of another category removes nothing, though one before it does', async () => {
    const system = await testSystem()
    for (const stream of ['sensor-a', 'fixity-main/a']) await foreignEvent(system.eventStore, stream, 90)
    await set(system, 'sensor')
    await names(system, 'sensor', { 'sensor-a': '1' })
    await names(system, 'fixity', { 'fixity-main/a': '1' }, {}, retentionStream('sensor'))
    await rounds(system)
    expect(await revisions(system, 'fixity-main/a')).toEqual([0])
  })

  it.each<readonly [string, Partial<EventsRemoved>]>([
    ['a policy that nobody set', { policy: { ...policy, days: 1 } }],
    ['no younger events than it says', {}],
    ['nothing that the policy keeps', { olderThan: daysAgo(2) }],
    ['a sum of its own', { policy: { ...policy, actor: 'eve' }, events: 1 }],
  ])('by %s removes nothing, and counts nothing as removed', async (_, more) => {
    const system = await testSystem()
    for (const days of [9, 8, 7]) await foreignEvent(system.eventStore, 'sensor-a', days)
    await set(system, 'sensor')
    await names(system, 'sensor', { 'sensor-a': '3' }, more)
    await rounds(system, 3)
    expect(await revisions(system, 'sensor-a')).toEqual([0, 1, 2])
    expect(await newest(system, 'sensor')).toMatchObject({ type: 'RemovalCarriedOut', data: { events: 0 } })
    expect(await policiesOfLog(system.eventStore)).toMatchObject([
      { removed: 0, state: { named: undefined } },
    ])
  })

  it('removes nothing that comes later, where it names revisions that are not there yet', async () => {
    const system = await testSystem()
    await foreignEvent(system.eventStore, 'sensor-a', 90)
    await set(system, 'sensor')
    await names(system, 'sensor', { 'sensor-a': '5', 'sensor-b': '5' })
    await rounds(system)
    for (const stream of ['sensor-a', 'sensor-b']) await foreignEvent(system.eventStore, stream, 90)
    expect([await revisions(system, 'sensor-a'), await revisions(system, 'sensor-b')]).toEqual([[0, 1], [0]])
  })
})

describe('a policy that another program wrote', () => {
  it('of more days than there were makes nothing due', async () => {
    const system = await testSystem()
    await foreignEvent(system.eventStore, 'sensor-a', 90)
    await set(system, 'sensor', { ...policy, days: Number.MAX_SAFE_INTEGER })
    const due = dueBy((await policiesOfLog(system.eventStore))[0]!, system.clock.now())!
    expect(await countDue(system.eventStore, due)).toEqual({ streams: 0, events: 0 })
  })
})
