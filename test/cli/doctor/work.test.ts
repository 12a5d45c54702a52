import { right } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { presenceOf } from '#src/app/presence.ts'
import { messageLag } from '#src/cli/doctor/work.ts'
import { useFonds } from '../fonds.ts'

const fonds = useFonds()

const partitions = [{ topic: 't', partition: 0, committed: 2n, end: 5n, lag: 3n, member: null }]

it('says of a group without members who should take its messages, and where that says why it does not', () =>
  fonds.withSystem(async (system) => {
    const waiting = [{ group: 'fonds.fixity', members: [], partitions }]
    const broker = { ...system.broker, groups: () => async () => right(waiting) }
    const look = () => messageLag({ ...system, broker })
    expect(await look()).toEqual({
      check: 'topics',
      status: 'warn',
      says: 'fonds.fixity: 3 wait, 0 members',
      todo: 'start the processors: `fonds start`',
    })
    const presence = presenceOf(system, ['processors'])
    await presence.show()
    expect(await look()).toEqual({
      check: 'topics',
      status: 'warn',
      says: expect.stringMatching(/^fonds.fixity: 3 wait, 0 members, though \S.* has processors$/),
      todo: 'the log there says why it is no member, and so does its /readyz (`broken`)',
    })
    await presence.leave()
    expect((await look()).todo).toContain('fonds start')
  }))
