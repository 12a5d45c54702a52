import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Lint and types, side by side. Each checker of types is one thread: several of a program check much of it twice, and the other
 * core is lint's meanwhile.
 */
const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded']
const checks = [['infra/local/lint.ts', '.'], tsc, [...tsc, '-p', 'dashboard']]

const ended = await Promise.all(
  checks.map((args) => once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')),
)
process.exitCode = ended.every(([code]) => code === 0) ? 0 : 1
