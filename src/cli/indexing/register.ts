import type { RegisterIn } from '../context.ts'
import { registerAdd } from './add.ts'
import { registerExport } from './export.ts'
import { registerRun } from './run.ts'

/** The sub-commands that read lists and files. */
export const register: RegisterIn = (indexing, context) => {
  registerAdd(indexing, context)
  registerRun(indexing, context)
  registerExport(indexing, context)
}
