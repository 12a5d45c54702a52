import { expect, test } from 'vitest'
import { probeEvents, probeRecord, probeStream } from '../../../src/domain/kernel/bucket-probe.ts'
import { specify } from '../../given.ts'
import { testStored } from '../stored-events.ts'

const at = '2026-01-31T12:00:00.000Z'
const wish = {
  address: 's3://archive/storage',
  key: 'extensions/fonds-probe/0f8b',
  reason: 'a new server',
}
const requested = { type: 'ProbeRequested', data: { ...wish, at } } as const
const end = {
  works: ['write', 'read'],
  fails: ['delete'],
  leftovers: [
    { key: 'storage/extensions/fonds-probe/0f8b', versionId: 'v1' },
    { key: 'storage/extensions/fonds-probe/0f8b-parts', uploadId: 'u1' },
  ],
}
const ended = { type: 'ProbeEnded', data: { ...end, at } } as const

test('what was asked for and what came of it is kept', () => {
  specify(probeRecord)()
    .when({ type: 'Request', actor: 'ada', at, ...wish })
    .gives([requested])
  specify(probeRecord)(requested)
    .when({ type: 'End', actor: 'ada', at, ...end })
    .gives([ended])
})

test('its stream', () => expect(probeStream('0f8b')).toBe('bucketProbe-0f8b'))

testStored('bucket-probe', probeEvents, [
  { type: 'ProbeRequested', schema: 1, data: requested.data },
  { type: 'ProbeEnded', schema: 1, data: ended.data },
])
