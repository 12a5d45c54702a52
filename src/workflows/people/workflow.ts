import { join } from 'node:path'
import { emptyWorkflow, type Workflow } from '../workflow.ts'
import { addPerson, forgetPerson } from './commands.ts'
import { copyPeople } from './copy-people.ts'
import { peopleModel } from './model.ts'

export const peopleWorkflow: Workflow = {
  ...emptyWorkflow,
  ...peopleModel,
  questions: {},
  commands: [addPerson, forgetPerson],
  checks: async (context) => (await import('./checks.ts')).peopleChecks(context),
  kept: ({ home }) => [
    {
      name: 'personal.db',
      from: join(home, 'personal.db'),
      copied: 'after',
      otherwise: `names and mail addresses are in ${join(home, 'personal.db')}, and in no backup that leaves them out`,
      copy: copyPeople,
    },
  ],
}
