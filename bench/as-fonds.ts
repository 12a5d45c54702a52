import { spawnSync } from 'node:child_process'
import { nodeFlags } from './node-flags.ts'

/* To be imported first: begins the bench anew with the flags of bin/fonds, where it was begun without, as they change what is measured. */

if (!nodeFlags.every((flag) => process.execArgv.includes(flag))) {
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, ...nodeFlags, ...process.argv.slice(1)],
    {
      stdio: 'inherit',
    },
  )
  process.exit(status ?? 1)
}
