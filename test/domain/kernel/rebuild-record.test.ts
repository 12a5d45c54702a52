import { expect, test } from 'vitest'
import { projectionStream, rebuildEvents, rebuildRecord } from '../../../src/domain/kernel/rebuild-record.ts'
import { specify } from '../../given.ts'
import { testStored } from '../stored-events.ts'

const at = '2026-01-31T12:00:00.000Z'
const wish = { verify: true, promote: false, reason: 'a count looks wrong' }
const requested = { type: 'RebuildRequested', data: { ...wish, at } } as const
const end = { outcome: 'different', position: '7', differences: 2 } as const
const ended = { type: 'RebuildEnded', data: { ...end, at } } as const
const failure = { outcome: 'failed', position: '-1', differences: null, reason: 'the disk is full' } as const

test('what was asked for and what came of it is kept, each time', () => {
  const ask = { type: 'Request', actor: 'ada', at, ...wish } as const
  specify(rebuildRecord)().when(ask).gives([requested])
  specify(rebuildRecord)(requested, ended).when(ask).gives([requested])
  specify(rebuildRecord)(requested)
    .when({ type: 'End', actor: 'fonds/rebuild', at, ...end })
    .gives([ended])
  specify(rebuildRecord)(requested)
    .when({ type: 'End', actor: 'fonds/rebuild', at, ...failure })
    .gives([{ type: 'RebuildEnded', data: { ...failure, at } }])
})

test('its stream', () => expect(projectionStream('log-index')).toBe('projection-log-index'))

testStored('rebuild-record', rebuildEvents, [
  { type: 'RebuildRequested', schema: 1, data: requested.data },
  { type: 'RebuildEnded', schema: 1, data: ended.data },
  { type: 'RebuildEnded', schema: 1, data: { ...failure, at } },
])
