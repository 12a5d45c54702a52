import { emptyWorkflow, type Workflow } from '../workflow.ts'
import { premisModel } from './model.ts'

export const premisWorkflow: Workflow = { ...emptyWorkflow, ...premisModel, questions: {}, commands: [] }
