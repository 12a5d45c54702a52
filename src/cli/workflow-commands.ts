import { workflows } from '../workflows/all.ts'
import type { RegisterIn } from './context.ts'
import { type FollowUp, registerShort } from './do/short-command.ts'
import { registerFixity } from './fixity.ts'
import { registerIndexing } from './indexing.ts'
import { registerIngest } from './ingest.ts'
import { reindexed } from './matching/reindex.ts'
import { registerQuestion } from './question/register.ts'
import { registerAdd } from './research/add.ts'

/** A workflow's sub-commands beside its questions: those that read files, and those that take long. */
const others: Readonly<Record<string, RegisterIn>> = {
  fixity: registerFixity,
  indexing: registerIndexing,
  ingest: registerIngest,
  research: registerAdd,
}

/** Commands that the command line goes on with when they are done. */
const followUps: Readonly<Record<string, FollowUp>> = { 'matching.reindex': reindexed }

/** The sub-commands of the workflow that the group is named after. */
export const registerCommands: RegisterIn = (group, context) => {
  const workflow = (context.workflows ?? workflows).find(({ name }) => name === group.name())
  if (!workflow) throw new Error(`there is no workflow ${group.name()}`)
  others[workflow.name]?.(group, context)
  for (const question of workflow.questions) registerQuestion(group, context, workflow, question)
  for (const command of workflow.commands)
    if (command.short) registerShort(group, context, command, command.short, followUps[command.name])
}
