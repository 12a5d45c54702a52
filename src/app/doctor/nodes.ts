import { UnavailableError } from '../../async/unavailable.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import type { ArchiveSettings } from '../../domain/kernel/archive-settings.ts'
import { isAtWork, type Node } from '../../domain/kernel/presence.ts'
import { settingsOfLog } from '../../projections/settings/read-settings.ts'
import { type Finding, ok, warn } from '../../workflows/finding.ts'
import { effectiveOf, readValue } from '../config/log-settings.ts'
import type { Config } from '../config/settings.ts'
import { archiveKeys, archiveSetting, isArchiveKey } from '../config/settings.ts'
import { presentNodes } from '../presence.ts'
import type { System } from '../system.ts'

/**
 * Checks that the settings of the processes at work agree with the log and with each other. No findings if none is at
 * work.
 */
export const setAlike = async (system: System): Promise<readonly Finding[]> => {
  try {
    const nodes = (await presentNodes(system)).filter(isAtWork)
    return nodes.length === 0 ? [] : differences(nodes, (await settingsOfLog(system)).settings)
  } catch (error) {
    // An unavailable log is reported on a line of its own.
    if (error instanceof UnavailableError) return []
    throw error
  }
}

export const differences = (nodes: readonly Node[], log: ArchiveSettings): readonly Finding[] => {
  const found = [...nodes.flatMap(toStart), ...fromLog(nodes, log), ...fromEachOther(nodes, log)]
  return found.length > 0
    ? found
    : [ok('nodes', `${plural(nodes.length, 'process', 'processes')} at work, set alike`)]
}

const toStart = ({ name, needsStart }: Node): readonly Finding[] =>
  needsStart.length === 0
    ? []
    : [
        warn(
          'nodes',
          `${name} does not know settings changed since its start: ${needsStart.join(', ')}`,
          'restart it to apply them',
        ),
      ]

/** Settings that wait for a start are reported separately. */
const fromLog = (nodes: readonly Node[], log: ArchiveSettings): readonly Finding[] => {
  const wanted = wantedBy(log)
  return nodes.flatMap(({ name, settings, needsStart }) => {
    const others = Object.keys(wanted).filter(
      (key) => settings[key] !== wanted[key] && !needsStart.includes(key),
    )
    return others.length === 0
      ? []
      : [
          warn(
            'nodes',
            `${name} differs from the log: ${others.map((key) => `${key} is ${shown(settings[key])} there and ${shown(wanted[key])} in the log`).join('; ')}`,
            'leave them out of its flags, environment and config file, and start it again; or set the log (`fonds settings set`)',
          ),
        ]
  })
}

/**
 * Returns the log's settings in the form that nodes publish. Values that this machine cannot read, such as secrets, are
 * left out.
 */
const wantedBy = (log: ArchiveSettings): Readonly<Record<string, string>> => {
  const values = Object.entries(log).flatMap(([key, { value }]) => {
    if (!isArchiveKey(key)) return []
    const read = readValue(key, value)
    return 'why' in read ? [] : [[key, read.value] as const]
  })
  return effectiveOf(Object.fromEntries(values) as unknown as Config)
}

/**
 * Compares settings that the log does not have. Folders are compared within one home: other homes may mount a volume
 * elsewhere.
 */
const fromEachOther = (nodes: readonly Node[], log: ArchiveSettings): readonly Finding[] =>
  archiveKeys
    .filter((key) => !(key in log))
    .flatMap((key) => {
      const groups = archiveSetting(key).isPath
        ? [...Map.groupBy(nodes, ({ host, home }) => `${host} ${home}`).values()]
        : [nodes]
      return groups.flatMap((those) => {
        const values = Map.groupBy(those, ({ settings }) => shown(settings[key]))
        if (values.size < 2) return []
        const sentence = [...values].map(
          ([value, some]) => `${value} for ${some.map(({ name }) => name).join(', ')}`,
        )
        return [
          warn(
            'nodes',
            `${key} is ${sentence.join('; ')}`,
            `set it for all: \`fonds settings set ${key} …\`, and leave it out of flags, environment and config files`,
          ),
        ]
      })
    })

const shown = (value: string | undefined): string => value ?? 'not set'
