import type { RegisterIn } from './context.ts'
import { registerAdd } from './indexing/add.ts'
import { registerExport } from './indexing/export.ts'
import { registerRun } from './indexing/run.ts'

/** The sub-commands that read lists and files. */
export const registerIndexing: RegisterIn = (indexing, context) => {
  registerAdd(indexing, context)
  registerRun(indexing, context)
  registerExport(indexing, context)
}
