import type { RegisterIn } from '../context.ts'
import { settingFlags } from '../setting-flags.ts'

/** All settings with their flags and variables stand in the help of `fonds settings`, and in no other. */
export const register: RegisterIn = (group) => {
  group.addHelpText('after', () => {
    const widest = Math.max(...settingFlags.map(({ flag }) => flag.length))
    const lines = settingFlags.map(({ flag, description }) => `  ${flag.padEnd(widest)}  ${description}`)
    return `
Settings, for every command: a flag is stronger than a variable, then come the file of --config, the log (\`settings set\`), the default.
${lines.join('\n')}`
  })
}
