import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGroupTables } from '../../../../infra/broker/embedded/group.ts'
import { query } from '../../../../infra/sqlite/query.ts'
import type { LockMark } from '../../../../src/domain/kernel/leader-lease.ts'
import type { BatchHandler } from '../../../../src/ports/broker.ts'
import { endOf, orThrow, record } from '../../../contracts/broker/fixture.ts'
import { type ManualClock, manualClock } from '../../../fakes/manual-clock.ts'
import { brokerFile, fill, group, groupOf, type Opened, ownersOf, topic, until } from './fixture.ts'

const session = 10_000

/** Two processes on one file, each with a clock that only the test moves. */
describe('members of a group', () => {
  let file: ReturnType<typeof brokerFile>
  let clocks: readonly [ManualClock, ManualClock]
  let one: Opened
  let two: Opened

  beforeEach(async () => {
    file = brokerFile()
    clocks = [manualClock(), manualClock()]
    one = file.open({ clock: clocks[0] })
    two = file.open({ clock: clocks[1] })
    await orThrow(one.broker.ensureTopics([{ name: topic, partitions: 2 }]))
  })
  afterEach(() => file.remove())

  const join = ({ broker }: Opened, handler: BatchHandler) =>
    broker.consume({ group, topics: [topic] }, handler)
  const done: BatchHandler = async (batch) => endOf(batch)

  /** A handler that stays in its batch, whatever the signal says, until let go; then it claims to have finished. */
  const stuck = () => {
    const gate = Promise.withResolvers<void>()
    const signals: AbortSignal[] = []
    const handler: BatchHandler = async (batch, signal) => {
      signals.push(signal)
      await gate.promise
      return endOf(batch)
    }
    return { handler, signals, letGo: gate.resolve }
  }

  it('that fall silent are replaced after the session time-out, and not before', async () => {
    await fill(one, 20)
    const silent = stuck()
    const first = await join(one, silent.handler)
    await until(() => expect(silent.signals).toHaveLength(2))
    const handled: bigint[] = []
    const second = await join(two, async (batch) => {
      handled.push(...batch.records.map((record) => record.offset))
      return endOf(batch)
    })
    clocks[1].advance(session - 1)
    await until(async () => expect((await groupOf(two)).members).toHaveLength(2))
    expect(await ownersOf(two)).toEqual([first.member, first.member])
    expect(handled).toEqual([])

    clocks[1].advance(session / 3)
    await until(async () => expect(await ownersOf(two)).toContain(second.member))
    await until(() => expect(handled.length).toBeGreaterThan(0))
    silent.letGo()
  })

  it('of a clock that ran a year ahead are replaced once they are silent for a session, or their process has ended', async () => {
    await fill(one, 20)
    const ahead = manualClock('2027-01-01T00:00:00.000Z')
    const silent = stuck()
    const gone = await join(file.open({ clock: ahead }), silent.handler)
    await until(() => expect(silent.signals).toHaveLength(2))
    const second = await join(two, done)
    expect(await ownersOf(two)).toEqual([gone.member, gone.member])
    await until(async () => {
      clocks[1].advance(session / 3)
      expect(await ownersOf(two)).toEqual([second.member, second.member])
    })
    silent.letGo()
  })

  it('whose process has ended are replaced at the next look, whatever their clock said', async () => {
    await fill(one, 20)
    let hasEnded = false
    const lockOf = (file: string) => ({
      mark: () => ({ file, device: '1', inode: '2', bootId: 'now' }),
      hasEnded: (mark: LockMark) => hasEnded && mark.file === 'gone.lock',
    })
    const silent = stuck()
    await join(
      file.open({ clock: manualClock('2027-01-01T00:00:00.000Z'), processLock: lockOf('gone.lock') }),
      silent.handler,
    )
    await until(() => expect(silent.signals).toHaveLength(2))
    const looking = file.open({ clock: clocks[1], processLock: lockOf('looking.lock') })
    expect((await groupOf(looking)).members).toHaveLength(1)
    hasEnded = true
    // Nobody is shown who is not there.
    expect((await groupOf(looking)).members).toEqual([])
    const second = await join(looking, done)
    await until(async () => expect(await ownersOf(looking)).toEqual([second.member, second.member]))
    silent.letGo()
  })

  it('whose partition was taken are told by the signal, and their commits are refused', async () => {
    const single = 'single'
    await orThrow(one.broker.ensureTopics([{ name: single, partitions: 1 }]))
    await orThrow(one.broker.produce(Array.from({ length: 10 }, (_, n) => record(single, null, String(n)))))
    const zombie = stuck()
    const first = await one.broker.consume({ group, topics: [single] }, zombie.handler)
    await until(() => expect(zombie.signals).toHaveLength(1))

    const successor = stuck()
    let begun = false
    await two.broker.consume({ group, topics: [single] }, async (batch, signal) => {
      if (begun) return successor.handler(batch, signal)
      begun = true
      return 3n
    })
    clocks[1].advance(session * 2)
    await until(() => expect([zombie.signals[0]!.aborted, successor.signals.length]).toEqual([true, 1]))

    zombie.letGo()
    await first.stop()
    expect((await groupOf(two)).partitions).toMatchObject([{ committed: 3n, end: 10n }])
    expect(zombie.signals).toHaveLength(1)
    successor.letGo()
    await until(async () => expect((await groupOf(two)).partitions).toMatchObject([{ committed: 10n }]))
  })

  it('commit with the epoch they were given: an old one is refused even to the same member', async () => {
    const groups = createGroupTables(one.db)
    const [id] = query<[number]>(one.db.reader, 'SELECT id FROM broker_topics').get()!
    const inTransaction = <A>(work: () => A) => one.db.commit.submit(work)
    const groupId = await inTransaction(() => groups.ensure(group))
    const member = { groupId, member: 'a', topicIds: [id], aliveUntil: 10 }
    const before = (await inTransaction(() => groups.rebalance(member))).holdings[0]!
    await inTransaction(() => groups.release(before))
    const after = (await inTransaction(() => groups.rebalance(member))).holdings[0]!
    expect(after).toEqual({ ...before, epoch: before.epoch + 1 })
    expect(await inTransaction(() => groups.commit(before, 7))).toBe(false)
    expect((await groupOf(one)).partitions[0]!.committed).toBe(0n)
    expect(await inTransaction(() => groups.commit(after, 5))).toBe(true)
    expect((await groupOf(one)).partitions[0]!.committed).toBe(5n)
  })

  it('stay members while a handler works for long', async () => {
    await fill(one, 20)
    const long = stuck()
    const first = await join(one, long.handler)
    await until(() => expect(long.signals).toHaveLength(2))
    await join(two, done)
    for (let elapsed = 0; elapsed < session * 3; elapsed += session / 4) {
      for (const clock of clocks) clock.advance(session / 4)
      const now = Date.parse(clocks[0].now())
      await until(async () => {
        const { members } = await groupOf(one)
        expect(members).toHaveLength(2)
        for (const member of members) expect(Date.parse(member.aliveUntil) - now).toBeGreaterThan(session / 4)
      })
    }
    expect(await ownersOf(one)).toEqual([first.member, first.member])
    expect(long.signals.some((signal) => signal.aborted)).toBe(false)
    long.letGo()
    await until(async () => expect(new Set(await ownersOf(one)).size).toBe(2))
  })

  it('with more than their share finish the batch under way before they hand over', async () => {
    await fill(one, 20)
    const long = stuck()
    const first = await join(one, long.handler)
    await until(() => expect(long.signals).toHaveLength(2))
    const second = await join(two, done)
    await until(async () => expect((await groupOf(two)).members).toHaveLength(2))
    expect(await ownersOf(two)).toEqual([first.member, first.member])
    long.letGo()
    await until(async () =>
      expect(new Set(await ownersOf(two))).toEqual(new Set([first.member, second.member])),
    )
    expect((await groupOf(two)).partitions.map((partition) => partition.lag)).toEqual([0n, 0n])
    expect(long.signals.some((signal) => signal.aborted)).toBe(false)
  })

  it('that stop hand over each partition as its batch ends, without waiting for the others', async () => {
    await fill(one, 20)
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let working = 0
    const first = await join(one, async (batch) => {
      working++
      await gates[batch.partition]!.promise
      return endOf(batch)
    })
    await until(() => expect(working).toBe(2))
    const second = await join(two, done)
    const stopping = first.stop()
    gates[0]!.resolve()
    await until(async () => expect(await ownersOf(two)).toEqual([second.member, first.member]))
    gates[1]!.resolve()
    await stopping
    await until(async () => expect(await ownersOf(two)).toEqual([second.member, second.member]))
  })

  it('come back by themselves after they were thought dead', async () => {
    const first = await join(one, done)
    const second = await join(two, done)
    await until(async () => expect(new Set(await ownersOf(one)).size).toBe(2))
    clocks[1].advance(session * 2)
    clocks[0].advance(session * 2)
    await until(async () =>
      expect(new Set(await ownersOf(one))).toEqual(new Set([first.member, second.member])),
    )
    await fill(one, 20)
    await until(async () => expect((await groupOf(one)).partitions.map((p) => p.lag)).toEqual([0n, 0n]))
  })
})
