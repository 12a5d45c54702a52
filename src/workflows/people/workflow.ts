import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { KeptFiles } from '../kept-files.ts'
import { emptyWorkflow, type Workflow } from '../workflow.ts'
import { addPerson, forgetPerson } from './commands.ts'
import { copyPeople, copyValues } from './copy-people.ts'
import { peopleModel } from './model.ts'

export const peopleWorkflow: Workflow = {
  ...emptyWorkflow,
  ...peopleModel,
  questions: {},
  commands: [addPerson, forgetPerson],
  checks: async (context) => (await import('./checks.ts')).peopleChecks(context),
  kept: ({ home, personalFolder, personalKeyFolder }) => [
    {
      name: 'personal.db',
      from: join(home, 'personal.db'),
      copied: 'after',
      otherwise: `names and mail addresses are in ${join(home, 'personal.db')}, and in no backup that leaves them out`,
      copy: copyPeople,
    },
    {
      name: 'personal',
      from: personalFolder,
      copied: 'after',
      otherwise: `personal values are in ${personalFolder}, and in no backup that leaves them out`,
      copy: copyValues,
    },
    ...(existsSync(personalKeyFolder) ? [keyOf(personalKeyFolder)] : []),
  ],
}

const keyOf = (folder: string): KeptFiles => ({
  name: 'personal-key',
  from: folder,
  copied: 'after',
  otherwise: `the key of personal values is in ${folder}, and in no backup: keep a copy elsewhere, without which a backup has no values`,
})
