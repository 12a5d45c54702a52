import { join } from 'node:path'

/** Types are stripped once, for all threads and processes that tests start, as bin/fonds does it. */
export const compileCache = (): void => {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/fonds')
}
