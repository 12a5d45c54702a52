import { projectionsOf } from '../workflow-model.ts'
import { models } from './all.ts'

/** Those of all workflows, for a thread that folds them. */
export default projectionsOf(models)
