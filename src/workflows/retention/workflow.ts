import { emptyWorkflow, type Workflow } from '../workflow.ts'
import { retentionCommands } from './commands.ts'
import { retentionModel } from './model.ts'

export const retentionWorkflow: Workflow = {
  ...emptyWorkflow,
  ...retentionModel,
  questions: {
    list: async () => (await import('../../projections/retention/list-question.ts')).listRetention,
  },
  commands: retentionCommands,
  checks: async (context) => (await import('./checks.ts')).retentionChecks(context),
}
