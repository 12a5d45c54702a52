import { expect, test } from 'vitest'
import { archiveSettings, settingsEvents, settingsStream } from '#src/domain/kernel/archive-settings.ts'
import { specify } from '../../given.ts'
import { testStored } from '../stored-events.ts'

const by = { actor: 'ada', reason: 'the new volume', at: '2026-01-01T00:00:00.000Z' }
const given = specify(archiveSettings)
const changed = (setting: string, value: string | number) =>
  ({ type: 'SettingChanged', data: { setting, value, ...by } }) as const
const set = (setting: string, value: string | number) => ({ type: 'Set', setting, value, ...by }) as const
const unset = { type: 'Unset', setting: 'ingestStorage', ...by } as const

test('a setting is set, set anew, and taken away; who, why and when are kept', () => {
  given()
    .when(set('ingestStorage', '/a'))
    .gives([changed('ingestStorage', '/a')])
  given(changed('ingestStorage', '/a')).when(set('ingestStorage', '/a')).gives([])
  given(changed('ingestStorage', '/a'))
    .when(set('ingestStorage', '/b'))
    .gives([changed('ingestStorage', '/b')])
  const taken = given(changed('ingestStorage', '/a'), changed('mailFrom', 'a@b')).when(unset)
  taken.gives([{ type: 'SettingUnset', data: { setting: 'ingestStorage', ...by } }])
  expect(taken.state).toEqual({ mailFrom: { value: 'a@b', ...by } })
})

test('what is not set cannot be taken away', () => {
  given().when(unset).gives('not-set')
  given(changed('ingestStorage', '/a'), { type: 'SettingUnset', data: { setting: 'ingestStorage', ...by } })
    .when(unset)
    .gives('not-set')
  given()
    .when({ ...unset, setting: 'toString' })
    .gives('not-set')
})

test('its stream', () => expect(settingsStream).toBe('settings-archive'))

testStored('settings', settingsEvents, [
  { type: 'SettingChanged', schema: 1, data: { setting: 'ingestStorage', value: '/a', ...by } },
  { type: 'SettingChanged', schema: 1, data: { setting: 'ingestThresholdPercent', value: 70, ...by } },
  { type: 'SettingUnset', schema: 1, data: { setting: 'ingestStorage', ...by } },
])
