import { settings } from '../../../src/app/config/settings.ts'
import { type Setting, variableOf } from '../../../src/domain/kernel/setting.ts'
import { code, table } from './table.ts'

const home = '<home>'

const defaultOf = (setting: Setting): string => {
  const { default: given } = setting
  const value = typeof given === 'function' ? given(home) : given
  if (value === undefined || value === '' || value === home) return ''
  return code(Array.isArray(value) ? value.join(',') : `${value}`)
}

const rowOf = ([key, setting]: readonly [string, Setting]): readonly string[] => [
  code(variableOf(key)),
  defaultOf(setting),
  setting.codec.name === 'string' ? 'text' : setting.codec.name,
  setting.description,
]

const heads = ['setting', 'default', 'takes', 'description']

/** Settings of the process, and those that may be set in the log. */
export const settingsPage = (): string => {
  const all = Object.entries<Setting>(settings)
  const ofNodes = all.filter(([, { archive }]) => archive === undefined)
  const ofArchive = all.flatMap(([key, setting]) =>
    setting.archive ? [[...rowOf([key, setting]), setting.archive.takesEffect]] : [],
  )
  return `# Settings

Each setting is a flag, a variable and a key of the config file: \`--home-mode\`, \`FONDS_HOME_MODE\`, \`homeMode\`.
[The guide](../guides/settings.md) says which of them wins, and explains the ones that matter most.

## Of a node

They are set where a process is started.

${table(heads, ofNodes.map(rowOf))}

## Of the archive

They may be set in the log, for all processes: \`fonds settings set\`. A change takes effect at once, or when a process starts.

${table([...heads, 'takes effect'], ofArchive)}
`
}
