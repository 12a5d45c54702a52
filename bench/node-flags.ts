import { join } from 'node:path'

/** What bin/fonds tells Node about memory, modules and warnings. */
export const nodeFlags = [
  '--min-semi-space-size=8',
  '--max-semi-space-size=32',
  '--no-allocation-site-pretenuring',
  '--no-parallel-scavenge',
  '--expose-gc',
  `--require=${join(import.meta.dirname, '../bin/resolve.mjs')}`,
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=TimeoutNegativeWarning',
]
