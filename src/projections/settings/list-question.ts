import { right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { SettingValue } from '../../domain/kernel/archive-settings.ts'
import { Text, Time } from '../../domain/kernel/codecs.ts'
import { deadLetters } from '../kernel/dead-letters.ts'
import { question } from '../runtime/question.ts'
import { columns } from '../runtime/shown.ts'
import { settingsOfLog } from './read-settings.ts'

const Setting = t.type({
  setting: Text,
  /** The value in the log; null if the log has none. */
  value: t.union([SettingValue, t.null]),
  actor: t.union([Text, t.null]),
  reason: t.union([Text, t.null]),
  at: t.union([Time, t.null]),
  /** The value in force now in the process that answers; null: it is not set. Secrets are not shown. */
  here: t.union([t.string, t.null]),
  /** Source of `here`. */
  from: t.keyof({ flag: null, environment: null, 'config file': null, log: null, default: null }),
  /** `start`: a running node adopts a change at its next start. */
  takesEffect: t.keyof({ 'at once': null, start: null }),
  needsStart: t.boolean,
  says: Text,
  example: t.string,
})

const notGiven = { value: null, actor: null, reason: null, at: null }

/** A setting that another version of Fonds put into the log. */
const unknown = (setting: string) => ({
  setting,
  says: 'no setting of this Fonds: it has no effect here',
  from: 'default' as const,
  takesEffect: 'start' as const,
  needsStart: false,
  example: '',
  here: undefined,
})

const ofNewer = (count: number): string =>
  `${plural(count, 'change')} of settings cannot be read here: a newer Fonds wrote ${count === 1 ? 'it' : 'them'}`

/** The settings of the log, and their effective values in the process that answers. */
export const listSettings = question({
  name: 'list',
  path: 'settings',
  operationId: 'listSettings',
  summary: 'The settings of the archive: what the log says, who said it and why, and what holds here.',
  description:
    'All settings that are the archive’s, and not a node’s. Flags, environment and config file override the log: `from` says where ' +
    '`here` comes from. `needsStart`: it was changed, and the process that answers takes it up at its next start. As of a moment `value` ' +
    'is of the past; `here` is always of now.',
  projection: deadLetters,
  history: 'log',
  needsViews: false,
  input: {},
  answer: t.type({ settings: t.readonlyArray(Setting), told: t.readonlyArray(t.string) }),
  returns:
    'The settings; `told` are sentences for people: what overrides the log here, and what of it is not used.',
  ask: async (_, __, { eventStore, asOf, settings: rules }) => {
    const { settings: log, unreadable } = await settingsOfLog({ eventStore }, asOf)
    await rules.refresh()
    const known = rules.list()
    const others = Object.keys(log).filter((name) => !known.some(({ setting }) => setting === name))
    return right({
      settings: [...known, ...others.map(unknown)].map(({ here = null, ...one }) => {
        const { value, actor, reason, at } = log[one.setting] ?? notGiven
        return { ...one, value, actor, reason, at, here }
      }),
      told: [...rules.remarks(), ...(unreadable === 0 ? [] : [ofNewer(unreadable)])],
    })
  },
  rows: { row: Setting, of: ({ settings }) => settings },
  prints: 'rows',
  show: ({ settings }) => [
    {
      rows: settings,
      columns: columns('setting', 'value', 'here', 'from', 'takesEffect', 'actor', 'reason', 'at'),
    },
  ],
  remarks: ({ told, settings }) => [
    ...told,
    ...settings
      .filter(({ needsStart }) => needsStart)
      .map(({ setting }) => `${setting} was changed: this process takes it up at its next start`),
  ],
  examples: [
    ['list', 'what is set, by whom and why'],
    ['list --as-of 2026-01-31T12:00:00Z', 'what was set then'],
  ],
})
