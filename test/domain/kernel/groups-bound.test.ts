import { expect, test } from 'vitest'
import { groups, groupsEvents, groupsStream } from '../../../src/domain/kernel/groups-bound.ts'
import { specify } from '../../given.ts'
import { testStored } from '../stored-events.ts'

const at = '2026-01-01T00:00:00.000Z'
const bound = {
  broker: 'cluster/prefix-',
  groups: [{ group: 'fonds-fixity', places: [{ topic: 'fonds.fixity.content', partition: 0, next: '7' }] }],
  reason: 'the disk was replaced',
}

test('what was done is kept, each time', () => {
  const note = { type: 'Note', actor: 'ada', at, bound } as const
  const event = { type: 'GroupsBound', data: { ...bound, at } } as const
  specify(groups)().when(note).gives([event])
  specify(groups)(event).when(note).gives([event])
})

test('its stream', () => expect(groupsStream('cluster/prefix-')).toBe('groups-cluster/prefix-'))

testStored('groups', groupsEvents, [{ type: 'GroupsBound', schema: 1, data: { ...bound, at } }])
