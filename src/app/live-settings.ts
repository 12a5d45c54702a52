import { InvalidSetting } from '../async/errors.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { SettingRules } from '../ports/setting-rules.ts'
import { settingsOfLog } from '../projections/settings/read-settings.ts'
import type { GivenSettings } from './config/config.ts'
import { type EffectiveSettings, withLog } from './config/log-settings.ts'
import { settingRules } from './config/setting-rules.ts'
import type { Config } from './config/settings.ts'
import { type ArchiveKey, archiveKeys, archiveSetting } from './config/settings.ts'

/** The settings of a process: those it was started with, over those of the log as last read. */
export interface LiveSettings extends SettingRules {
  /** Configuration of the process's parts. Settings that take effect at once change in it. */
  readonly config: Config
  effective(): EffectiveSettings
  /** Returns settings changed in the log since, which take effect at the next start. */
  needsStart(): readonly ArchiveKey[]
  /** Returns whether the value in `config` is the log's. */
  isOfLog(key: ArchiveKey): boolean
  /**
   * Reads the log. The first time, and before the process has begun its work, all its settings take effect. Returns
   * true if any has changed. Throws `UnavailableError`.
   */
  refresh(options?: { readonly beforeWork: boolean }): Promise<boolean>
  /** How often `refresh` found a change. */
  changes(): number
}

/** Throws `InvalidSetting` if the settings given to the process contradict each other. */
export const liveSettings = (
  started: Config,
  given: GivenSettings,
  eventStore: Pick<EventStore, 'read'>,
): LiveSettings => {
  let read: bigint | undefined
  let effective: EffectiveSettings = { started, given, log: {}, config: started, used: [], remarks: [] }
  let waiting: readonly ArchiveKey[] = []
  let changes = 0
  const ofLog = new Set<ArchiveKey>()
  const config: Config = { ...started }

  const take = (keys: readonly ArchiveKey[]): void => {
    const values: Readonly<Record<string, unknown>> = effective.config
    for (const key of keys) Object.assign(config, { [key]: values[key] })
  }

  const live = {
    config,
    effective: () => effective,
    needsStart: () => waiting,
    isOfLog: (key: ArchiveKey) => ofLog.has(key),
    changes: () => changes,
    refresh: async ({ beforeWork } = { beforeWork: false }) => {
      const { settings, revision } = await settingsOfLog({ eventStore })
      // A process that has not begun its work takes what an earlier look left waiting, too.
      if (revision === read && !(beforeWork && waiting.length > 0)) return false
      const isFirst = read === undefined
      try {
        effective = withLog(started, given, settings)
      } catch (error) {
        if (isFirst || !(error instanceof InvalidSetting)) throw error
        effective = { ...effective, remarks: [error.message] }
      }
      read = revision
      const changed = archiveKeys.filter((key) => config[key] !== effective.config[key])
      take(changed.filter((key) => isFirst || beforeWork || archiveSetting(key).takesEffect === 'at once'))
      waiting = archiveKeys.filter((key) => config[key] !== effective.config[key])
      for (const key of archiveKeys)
        if (!waiting.includes(key)) ofLog[effective.used.includes(key) ? 'add' : 'delete'](key)
      if (changed.length > 0) changes++
      return changed.length > 0
    },
  }
  return { ...live, ...settingRules(live) }
}
