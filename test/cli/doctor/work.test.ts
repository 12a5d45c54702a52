import { right } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { messageLag, viewLag } from '#src/app/doctor/work.ts'
import { presenceOf } from '#src/app/presence.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { projectionsOf } from '#src/workflows/workflow-model.ts'
import { event as newEvent } from '../../contracts/new-event.ts'
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

it('takes views for up to date when a process has ended, and nothing else has happened', () =>
  fonds.withSystem(async (system) => {
    await catchUp({ ...system, projections: projectionsOf(system.workflows) })
    const presence = presenceOf(system, ['processors'])
    await presence.show()
    await presence.leave()
    expect(await viewLag(system)).toMatchObject({ status: 'ok' })
    await system.eventStore.append('shop-1', 'none', [newEvent()])()
    expect(await viewLag(system)).toMatchObject({
      status: 'warn',
      todo: expect.stringContaining('`fonds start`'),
    })
  }))
