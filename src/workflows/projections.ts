import { models } from './models.ts'
import { projectionsOf } from './workflow-model.ts'

/** Projections of all workflows, for a thread that folds them. */
export default projectionsOf(models)
