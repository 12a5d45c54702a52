import { models } from './models.ts'
import { projectionsOf } from './workflow-model.ts'

/** Those of all workflows, for a thread that folds them. */
export default projectionsOf(models)
