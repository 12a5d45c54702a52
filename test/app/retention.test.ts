import { left } from 'fp-ts/lib/Either.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { relayCheckpoint } from '#src/app/checkpoint-names.ts'
import { relayLease } from '#src/app/relay-source.ts'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { probeRecord, probeStream } from '#src/domain/kernel/bucket-probe.ts'
import { deadLetterStream, deadLetters } from '#src/domain/kernel/dead-letter.ts'
import { leaderLeases, leaderStream } from '#src/domain/kernel/leader-lease.ts'
import { projectionStream, rebuildRecord } from '#src/domain/kernel/rebuild-record.ts'
import { retention, retentionStream } from '#src/domain/kernel/retention.ts'
import { setTreeMark } from '#src/processors/runtime/tree-mark.ts'
import { policiesOfLog } from '#src/projections/retention/policies.ts'
import { retentionChecks } from '#src/workflows/retention/checks.ts'
import { mayRun } from '#src/workflows/retention/may-run.ts'
import { testSystem } from './archive.ts'
import { give, inLog, revisions, tree } from './proof/give-policies.ts'
import { foreignEvent, inUse, retentionRounds, setDaysLater } from './proof/retention-rounds.ts'

const by = { actor: 'ada', reason: 'schedule, no. 12' }
const letter = {
  processor: 'fixity',
  topic: 'fonds.fixity.content',
  partition: 0,
  offset: '0',
  key: null,
  headers: {},
  value: 'x',
  encoding: 'text',
  reason: 'not-json',
  path: null,
  message: 'no',
} as const
const fail = (system: System, id: string) => {
  const command = { type: 'DeadLetter', actor: 'fixity', at: system.clock.now(), letter } as const
  const given = { stream: deadLetterStream(id), command, causationId: `fail/${id}/${Math.random()}` }
  return orThrow(() => system.execute(deadLetters, given))
}
const discard = async (system: System, id: string): Promise<void> => {
  const command = { type: 'Discard', at: system.clock.now(), ...by } as const
  await orThrow(() =>
    system.execute(deadLetters, { stream: deadLetterStream(id), command, causationId: `settle/${id}` }),
  )
}
describe('a log that is reached by the gateway, as one of EventStoreDB', () => {
  it('hides what goes from its streams; the log keeps it until it is scavenged', async () => {
    setDaysLater(0)
    const here = await testSystem()
    const gateway = await here.openGateway(0)
    onTestFinished(() => gateway.stop(0))
    const there = await testSystem({ eventStore: `esdb://127.0.0.1:${gateway.port}?tls=false` })
    expect(there.eventStore.scavenge).toBeUndefined()
    await foreignEvent(there.eventStore, 'sensor-b', 90)
    for (const days of [90, 80, 3]) await foreignEvent(there.eventStore, 'sensor-a', days)
    await orThrow(there.eventStore.setMetadata('sensor-a', { owner: 'Ada' }))
    for (const id of ['one', 'two']) await fail(there, id)
    await discard(there, 'one')
    for (const category of ['sensor', 'deadletter']) {
      await give(there, category, 'Set')
      await give(there, category, 'Request')
    }
    await setTreeMark(there.eventStore, 'archive.example/log')
    await give(there, 'other', 'Set')
    await foreignEvent(there.eventStore, 'other-a', 90)
    expect(await mayRun({ category: 'other' }, there)).toMatchObject({
      left: {
        code: 'not-confirmed',
        message: expect.stringContaining('keeps them until its operator has it scavenged'),
      },
    })
    const round = retentionRounds(there, tree())
    await round()
    await round()
    expect((await retentionChecks(there)).map(({ says }) => says)).toContainEqual(
      expect.stringMatching(/^sensor: 0 events of 0 streams due; 3 events removed, .*until it is scavenged$/),
    )
    expect([await revisions(there, 'sensor-a'), await revisions(there, 'sensor-b')]).toEqual([[2], []])
    expect(await there.eventStore.metadata('sensor-a')()).toMatchObject({ right: { owner: 'Ada', $tb: 2 } })
    expect(await inLog(there, 'sensor')).toBe(4)
    const [sensor, letters] = await policiesOfLog(there.eventStore)
    expect(sensor).toMatchObject({ removed: 3, state: { named: undefined, isWanted: false } })
    expect(letters).toMatchObject({ removed: 0 })

    setDaysLater(31)
    await inUse(there)
    const settled = retentionRounds(there, tree())
    await give(there, 'deadletter', 'Request')
    await settled()
    await settled()
    expect(await revisions(there, deadLetterStream('one'))).toEqual([])
    expect(await revisions(there, deadLetterStream('two'))).toEqual([0])
    expect(await fail(there, 'one')).toMatchObject({ kind: 'done', revision: 2n })
    expect(await revisions(here, deadLetterStream('one'))).toEqual([2])
    // What was removed before is not named again, though the server has it still.
    await give(there, 'sensor', 'Request')
    await settled()
    await settled()
    expect((await policiesOfLog(there.eventStore))[0]).toMatchObject({ removed: 4 })
  })
})

describe('a process that dies between the event and the removal', () => {
  const fill = async (system: System) => {
    for (const days of [90, 80, 3])
      for (let n = 0; n < 6; n++) await foreignEvent(system.eventStore, `sensor-${n}`, days)
    await give(system, 'sensor', 'Set')
    await give(system, 'sensor', 'Request')
  }
  const left6 = Array.from({ length: 6 }, () => [2])
  const streams = (system: System) =>
    Promise.all(Array.from({ length: 6 }, (_, n) => revisions(system, `sensor-${n}`)))

  it.each([0, 1, 5])('after %s streams: the next one removes the rest, from the log', async (done) => {
    const system = await testSystem()
    await fill(system)
    const folder = tree()
    let count = 0
    const dying: System = {
      ...system,
      eventStore: {
        ...system.eventStore,
        setMetadata: (stream, metadata) =>
          !stream.startsWith('sensor') || count++ < done
            ? system.eventStore.setMetadata(stream, metadata)
            : async () => left({ kind: 'Unavailable', reason: 'killed' }),
      },
    }
    const first = retentionRounds(dying, folder)
    await first()
    await first()
    expect((await policiesOfLog(system.eventStore))[0]).toMatchObject({
      removed: 0,
      state: { named: { events: 12 } },
    })
    await retentionRounds(system, folder)()
    expect(await streams(system)).toEqual(left6)
    expect((await policiesOfLog(system.eventStore))[0]).toMatchObject({
      removed: 12,
      state: { named: undefined },
    })
    expect(await inLog(system, 'sensor')).toBe(6)
    const written = await orThrow(system.eventStore.read(retentionStream('sensor'), 'start', 'forward', 100))
    expect(written.map(({ type }) => type)).toEqual([
      'RetentionSet',
      'RemovalRequested',
      'EventsRemoved',
      'RemovalCarriedOut',
    ])
  })

  it('while it named what goes: what was named goes, then the rest', async () => {
    const system = await testSystem()
    await fill(system)
    // As if the first piece of several had been written.
    const policy = (await policiesOfLog(system.eventStore))[0]!.state.policy!
    const at = system.clock.now()
    const named = {
      type: 'Remove',
      category: 'sensor',
      actor: 'fonds/sealer',
      at,
      policy,
      isLast: false,
    } as const
    const parts = [{ stream: 'sensor-0', before: '2', events: 2 }]
    const olderThan = new Date(Date.now() - 30 * 86_400_000).toISOString()
    const command = { ...named, streams: parts, olderThan }
    await orThrow(() =>
      system.execute(retention, { stream: retentionStream('sensor'), command, causationId: 'x' }),
    )
    const round = retentionRounds(system, tree())
    for (let n = 0; n < 3; n++) await round()
    expect(await streams(system)).toEqual(left6)
    expect((await policiesOfLog(system.eventStore))[0]).toMatchObject({
      removed: 12,
      state: { isWanted: false, doneTo: expect.any(String) },
    })
  })
})

describe('records of Fonds’ own', () => {
  it('go whole once they ended, and stay before', async () => {
    setDaysLater(0)
    const system = await testSystem()
    const at = system.clock.now()
    const told = { actor: 'ada', at, reason: 'a look' }
    const record = (decider: typeof probeRecord | typeof rebuildRecord, stream: string, command: object) =>
      orThrow(() =>
        system.execute(decider as typeof probeRecord, {
          ...{
            stream,
            command: { ...told, ...command } as never,
            causationId: stream + JSON.stringify(command),
          },
        }),
      )
    for (const id of ['ended', 'begun'])
      await record(probeRecord, probeStream(id), { type: 'Request', address: 's3://b/p', key: 'k' })
    await record(probeRecord, probeStream('ended'), { type: 'End', works: ['put'], fails: [], leftovers: [] })
    const ended = { type: 'End', outcome: 'replaced', position: '7', differences: null }
    for (const name of ['fixity', 'ingest'])
      await record(rebuildRecord, projectionStream(name), { type: 'Request', verify: false, promote: false })
    await record(rebuildRecord, projectionStream('fixity'), ended)
    setDaysLater(31)
    await inUse(system)
    for (const category of ['bucketProbe', 'projection']) {
      await give(system, category, 'Set')
      await give(system, category, 'Request')
    }
    const round = retentionRounds(system, tree())
    await round()
    await round()
    expect(await inLog(system, 'bucketProbe')).toBe(1)
    expect(await inLog(system, 'projection')).toBe(1)
    expect(await revisions(system, probeStream('begun'))).toEqual([0])
    // The next rebuild of the views is recorded behind what went.
    await record(rebuildRecord, projectionStream('fixity'), { type: 'Request', verify: true, promote: false })
    expect(await revisions(system, projectionStream('fixity'))).toEqual([2])
  })
})

describe('events that the relay has not published', () => {
  it('stay until it has, and go then', async () => {
    const system = await testSystem()
    for (const days of [90, 80, 70]) await foreignEvent(system.eventStore, 'sensor-a', days)
    await inUse(system)
    await give(system, 'sensor', 'Set')
    const [first] = (await orThrow(system.eventStore.readAll(-1n, { categories: ['sensor'] }, 1))).events
    const until = { deadline: '2999-01-01T00:00:00.000Z', millis: 3_600_000 }
    const lead = (command: object) =>
      orThrow(() =>
        system.execute(leaderLeases, {
          stream: leaderStream(relayLease),
          command: { actor: 'relay', at: system.clock.now(), ...until, ...command } as never,
          causationId: JSON.stringify(command),
        }),
      )
    const published = (position: bigint) =>
      lead({ type: 'Extend', fence: 1, positions: { [relayCheckpoint(system)]: `${position}` } })
    await lead({ type: 'Take', holder: 'relay' })
    await published(first!.position)
    const folder = tree()
    const apply = async () => {
      await give(system, 'sensor', 'Request')
      const round = retentionRounds(system, folder)
      await round()
      await round()
    }
    await apply()
    expect(await revisions(system, 'sensor-a')).toEqual([1, 2])
    await published(await orThrow(system.eventStore.head()))
    await apply()
    expect(await revisions(system, 'sensor-a')).toEqual([])
  })
})
