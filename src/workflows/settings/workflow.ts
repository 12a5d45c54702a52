import { isRight, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { archiveSettings, SettingValue, settingsStream } from '../../domain/kernel/archive-settings.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { addressesIn, withReferences } from '../../domain/kernel/person.ts'
import type { ShortForm } from '../../processors/runtime/operator-command.ts'
import { routeTo } from '../../processors/runtime/route.ts'
import { referencesOfMail } from '../persons.ts'
import { emptyWorkflow, type SystemCommand, type Workflow } from '../workflow.ts'
import { settingsModel } from './model.ts'

const ToSet = t.type({ setting: Text, value: SettingValue })
type ToSet = t.TypeOf<typeof ToSet>
const ToUnset = t.type({ setting: Text })
type ToUnset = t.TypeOf<typeof ToUnset>

/** The log gets references in the place of mail addresses. */
const byReference = async (
  { setting, value }: ToSet,
  context: Parameters<typeof referencesOfMail>[0],
): Promise<ToSet> => {
  const text = String(value)
  return { setting, value: withReferences(text, await referencesOfMail(context, addressesIn(text))) }
}

const short = <Input>(form: ShortForm<Input>) => form as unknown as ShortForm<unknown>

/** This process has it at once: what is written next is as the setting wants it. Others read the log within seconds. */
const takenUp: SystemCommand['afterwards'] = async (_, { settings }) => {
  await settings.refresh()
}

/** The process that takes the command validates the setting, and records its own name. */
const set: SystemCommand = {
  name: 'settings.set',
  permission: 'administer',
  description:
    'Gives a setting of the archive a value: all processes that open this log have it, unless they were started with another.',
  codec: ToSet,
  example: { setting: 'ingestStorage', value: '/srv/archive/storage' },
  carryOut: async ({ setting, value }: ToSet, context) => {
    const checked = context.settings.check(setting, value)
    return isRight(checked) && context.settings.namesPeople(setting)
      ? right(await byReference(checked.right, context))
      : checked
  },
  route: ({ setting, value }: ToSet, by) =>
    routeTo(archiveSettings, settingsStream, { type: 'Set', setting, value, ...by }),
  afterwards: takenUp,
  short: short<ToSet>({
    description:
      'Names are those of config files, flags or variables: ingestStorage, ingest-storage, FONDS_INGEST_STORAGE. Of a secret the log ' +
      'holds where it is read: file:<path> or env:<name>. `fonds settings list` says whether running nodes take a change up at once or ' +
      'need a start.',
    arguments: ['setting', 'value'],
    done: ({ setting }) => `${setting} is set; \`fonds settings list\` shows what holds here`,
    examples: [
      [
        'set ingestStorage /srv/archive/storage --actor ada --reason "the new volume"',
        'objects are stored there, whoever stores them',
      ],
      ['set mailPassword file:/run/secrets/mail --actor ada --reason "mails"', 'a secret stays in its file'],
    ],
  }),
}

const unset: SystemCommand = {
  name: 'settings.unset',
  permission: 'administer',
  description: 'Takes a setting of the archive out of the log: its default holds again.',
  codec: ToUnset,
  example: { setting: 'ingestStorage' },
  carryOut: async ({ setting }: ToUnset, { settings }) => right({ setting: settings.named(setting) }),
  route: ({ setting }: ToUnset, by) =>
    routeTo(archiveSettings, settingsStream, { type: 'Unset', setting, ...by }),
  afterwards: takenUp,
  short: short<ToUnset>({
    description: 'What it was stays in the log: `fonds settings list --as-of <when>` shows it.',
    arguments: ['setting'],
    done: ({ setting }) => `${setting} is no longer set in the log`,
    examples: [
      ['unset noticesQuiet --actor ada --reason "we are told at night, too"', 'its default holds again'],
    ],
  }),
}

export const settingsWorkflow: Workflow = {
  ...emptyWorkflow,
  ...settingsModel,
  questions: {
    list: async () => (await import('../../projections/settings/list-question.ts')).listSettings,
  },
  commands: [set, unset],
}
