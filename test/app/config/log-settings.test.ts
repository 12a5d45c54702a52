import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { GivenSettings } from '#src/app/config/config.ts'
import { effectiveOf, isReference, readValue, withLog } from '#src/app/config/log-settings.ts'
import type { Config } from '#src/app/config/settings.ts'
import { archiveKeys, archiveSetting, defaultConfig, settings } from '#src/app/config/settings.ts'
import type { ArchiveSettings, SettingValue } from '#src/domain/kernel/archive-settings.ts'

const by = { actor: 'ada', reason: 'why not', at: '2026-01-01T00:00:00.000Z' }
const inLog = (values: Readonly<Record<string, SettingValue>>): ArchiveSettings =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value, ...by }]))
const started = (more: Partial<Config> = {}): Config => ({ ...defaultConfig('/home'), ...more })
const merged = (
  values: Readonly<Record<string, SettingValue>>,
  more: Partial<Config> = {},
  given: GivenSettings = {},
) => withLog(started(more), given, inLog(values))

describe('settings of the log', () => {
  it('are over defaults', () => {
    const { config, remarks, used } = merged({ ingestStorage: '/srv/storage', ingestThresholdPercent: '70' })
    expect(config).toEqual({ ...started(), ingestStorage: '/srv/storage', ingestThresholdPercent: 70 })
    expect([remarks, used]).toEqual([[], ['ingestStorage', 'ingestThresholdPercent']])
  })

  it('are under what the process was given, which is told where it differs, and not where it does not', () => {
    const own = { ingestStorage: '/mnt/storage', mailFrom: 'a@b.example', mailServer: 'smtp://a' }
    const given = { ingestStorage: 'environment', mailFrom: 'flag', mailServer: 'flag' } as const
    const log = { ingestStorage: '/srv/storage', mailFrom: 'a@b.example' }
    const { config, remarks } = merged(log, own, given)
    expect(config.ingestStorage).toBe('/mnt/storage')
    expect(remarks).toEqual([
      'ingestStorage: the environment says /mnt/storage and overrides the log, which says /srv/storage',
    ])
  })

  it('that this Fonds does not know, or cannot use, are told and stop nothing', () => {
    const { config, remarks } = merged({
      fromTheFuture: 1,
      host: '0.0.0.0',
      ingestThresholdPercent: 'most of it',
    })
    expect(config).toEqual(started())
    expect(remarks).toEqual([
      'fromTheFuture of the log is no setting of this Fonds, and has no effect here',
      'host of the log is no setting of this Fonds, and has no effect here',
      expect.stringMatching(
        /^ingestThresholdPercent of the log is not used here: ingestThresholdPercent: wants/,
      ),
    ])
  })

  it('of which a half is missing are not used until it is there, in the log or here', () => {
    const half = merged({ mailServer: 'smtp://mail.example', ingestFolderDays: 9 })
    expect(half.config).toEqual(started({ ingestFolderDays: 9 }))
    expect(half.remarks).toEqual([
      expect.stringMatching(
        /^of the log mailServer is not used here: mailFrom: is missing beside mailServer/,
      ),
    ])
    const whole = merged({ mailServer: 'smtp://mail.example', mailFrom: 'a@b.example' })
    expect(whole.config).toMatchObject({ mailServer: 'smtp://mail.example', mailFrom: 'a@b.example' })
    expect(whole.remarks).toEqual([])
    const password = { mailPassword: 'kept here' }
    const log = { mailServer: 'smtp://mail.example', mailFrom: 'a@b.example', mailUsername: 'archive' }
    expect(merged(log, password, { mailPassword: 'environment' }).config).toMatchObject({
      ...log,
      ...password,
    })
  })

  it('do not hide that what the process was given contradicts itself', () => {
    expect(() => merged({}, { mailFrom: 'a@b.example' })).toThrow(/^mailServer: is missing beside mailFrom/)
  })

  it('name the place of a secret, which is read there and shown nowhere', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fonds-secret-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'ezid')
    writeFileSync(file, 'a secret word\n')
    const log = { ezidServer: 'https://ezid.example', ezidUsername: 'ada', ezidPassword: `file:${file}` }
    const { config } = merged(log)
    expect(config.ezidPassword).toBe('a secret word')
    expect(JSON.stringify(effectiveOf(config))).not.toContain('secret word')
    expect(effectiveOf(config).ezidPassword).toBe('set')
    const away = merged({ ...log, ezidPassword: `file:${file}.gone` })
    expect(away.config.ezidServer).toBeUndefined()
    expect(away.remarks[0]).toMatch(
      /^ezidPassword of the log is not used here: .*ezid\.gone cannot be read \(ENOENT\)$/,
    )
    const plain = merged({ ...log, ezidPassword: 'a secret word' })
    expect(plain.remarks.join()).toContain('a secret stays outside of the log')
    expect(plain.remarks.join()).not.toContain('secret word')
  })

  it('each have an example that is taken', () => {
    for (const key of archiveKeys) {
      const { example } = archiveSetting(key)
      if (settings[key].secret) expect(isReference(example), key).toBe(true)
      else expect(readValue(key, example), key).toEqual({ value: example })
    }
  })
})
