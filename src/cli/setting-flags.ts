import { settings } from '../app/config/settings.ts'
import { dashed, isNumber, variableOf } from '../domain/kernel/setting.ts'

/** The flags of settings: they go with every command. */
export const settingFlags: readonly { readonly flag: string; readonly description: string }[] = [
  {
    flag: '--config <file>',
    description: 'JSON file of settings, each by its name: {"home": "/srv/fonds"} (FONDS_CONFIG)',
  },
  ...Object.entries(settings).map(([name, setting]) => ({
    flag: `--${dashed(name)} <${setting.value ?? (isNumber(setting) ? 'n' : 'text')}>`,
    description: `${setting.description} (${variableOf(name)})`,
  })),
]
