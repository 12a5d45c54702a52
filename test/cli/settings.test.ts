import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useFonds } from './fonds.ts'

const fonds = useFonds({ keepsHistory: true })
const by = ['--actor', 'ada', '--reason', 'the new volume']
const set = (...typed: string[]) => fonds.run(['settings', 'set', ...typed, ...by])
const listed = async (name: string, ...more: string[]) => {
  const { rows } = await fonds.run(['settings', 'list', '--format', 'ndjson', ...more])
  return rows.find(({ setting }) => setting === name)
}

describe('fonds settings', () => {
  test('a setting of the log holds in every process of the home, unless it was started with another', async () => {
    const storage = join(fonds.folder, 'storage')
    expect(await set('FONDS_INGEST_STORAGE', storage)).toMatchObject({ code: 0 })
    expect(await fonds.withSystem(async ({ config }) => config.ingestStorage)).toBe(storage)
    expect(await listed('ingestStorage')).toMatchObject({
      ...{ value: storage, here: storage, from: 'log', actor: 'ada', reason: 'the new volume' },
    })
    expect(await listed('ingestStorage', '--ingest-storage', '/elsewhere')).toMatchObject({
      ...{ value: storage, here: '/elsewhere', from: 'flag' },
    })
    const shown = await fonds.run(['settings', 'list', '--ingest-storage', '/elsewhere'], { terminal: 200 })
    expect(shown.err).toContain(`overrides the log, which says ${storage}`)
  })

  test('one that only a newer Fonds knows, and a change that only that can read, are told', async () => {
    const newer = {
      setting: 'loansDays',
      value: 3,
      actor: 'ada',
      reason: 'new',
      at: '2026-01-31T12:00:00.000Z',
    }
    const event = (id: string, type: string) => ({
      ...{ id, type, data: newer },
      metadata: { actor: 'ada', causationId: id, correlationId: id, schema: 1 },
    })
    await fonds.withSystem(async ({ eventStore }) => {
      const events = [event(randomUUID(), 'SettingChanged'), event(randomUUID(), 'SettingRenamed')]
      expect(await eventStore.append('settings-archive', 'any', events)()).toMatchObject({ _tag: 'Right' })
    })
    expect(await listed('loansDays')).toMatchObject({ value: 3, actor: 'ada', here: null })
    const { err } = await fonds.run(['settings', 'list'], { terminal: 200 })
    expect(err).toContain('loansDays of the log is no setting of this Fonds')
    expect(err).toContain('1 change of settings cannot be read here')
  })

  test('taken away, its default holds again; what it was is still known', async () => {
    await set('ingestStorage', '/srv/storage')
    const { rows } = await fonds.run(['events', '--stream', 'settings-archive'])
    const then = String(rows[0]?.position)
    expect(await fonds.run(['settings', 'unset', 'ingest-storage', ...by])).toMatchObject({ code: 0 })
    expect(await listed('ingestStorage')).toMatchObject({ value: null, actor: null, from: 'default' })
    expect(await listed('ingestStorage', '--as-of', then)).toMatchObject({
      value: '/srv/storage',
      actor: 'ada',
    })
    const again = await fonds.run(['settings', 'unset', 'ingestStorage', ...by])
    expect(again).toMatchObject({
      code: 1,
      err: expect.stringContaining('ingestStorage is not set in the log'),
    })
  })

  test.each([
    ['ingestStorgae', '/a', 'there is no setting ingestStorgae; there are s3Endpoint,'],
    [
      'port',
      '80',
      "port is a node's own, and not the archive's: it is set where the node is started (--port, FONDS_PORT)",
    ],
    ['ingestThresholdPercent', '101', 'ingestThresholdPercent: wants whole number from 1 to 100, got 101'],
    [
      'ingestStorage',
      'storage',
      'is relative to the folder that a process is started in; give an absolute path',
    ],
    [
      'mailPassword',
      'hunter2',
      'mailPassword is a secret, which stays outside of the log: give file:<path> or env:<name>',
    ],
  ])('%s %s is refused, and nothing is written', async (name, value, says) => {
    const ran = await set(name, value)
    expect(ran.code).toBe(1)
    expect(ran.err).toContain(says)
    expect((await fonds.run(['events'])).out).toBe('')
  })

  test('a half of what belongs together is told, and keeps no command from running', async () => {
    await set('mailServer', 'smtp://mail.example')
    const half = await fonds.run(['settings', 'list'], { terminal: 200 })
    expect(half).toMatchObject({
      code: 0,
      err: expect.stringContaining('mailFrom: is missing beside mailServer'),
    })
    await set('mailFrom', 'archive@archive.example')
    expect((await fonds.run(['settings', 'list'], { terminal: 200 })).err).not.toContain('missing')
  })
})
