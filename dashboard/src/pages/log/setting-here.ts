import type { Setting } from './setting-value.tsx'

interface SettingHere {
  /** Empty: it is not set. */
  readonly text: string
  /** What this process was started with, and goes before the log: a flag, a variable, a file. Absent: the log says the value. */
  readonly startedWith?: string
}

/** The text of a setting that a page writes with more help. Nodes read the log every few seconds; what it says counts at once. */
export const settingHere = (settings: readonly Setting[], name: string): SettingHere => {
  const known = settings.find(({ setting }) => setting === name)
  return known === undefined || known.from === 'log' || known.from === 'default'
    ? { text: String(known?.value ?? '') }
    : { text: String(known.here ?? ''), startedWith: known.from }
}
