import { workflows } from '../workflows/all.ts'
import type { Register } from './context.ts'
import { type FollowUp, registerShort } from './do/short-command.ts'
import { registerFixity } from './fixity.ts'
import { registerIndexing } from './indexing.ts'
import { registerIngest } from './ingest.ts'
import { reindexed } from './matching/reindex.ts'
import { registerQuestion } from './question/register.ts'
import { registerAdd } from './research/add.ts'

/** A workflow's sub-commands beside its questions: those that read files, and those that take long. */
const others: Readonly<Record<string, Register>> = {
  fixity: registerFixity,
  indexing: registerIndexing,
  ingest: registerIngest,
  research: registerAdd,
}

/** Commands that the command line goes on with when they are done. */
const followUps: Readonly<Record<string, FollowUp>> = { 'matching.reindex': reindexed }

/** `fonds <workflow> …`, for each workflow with a summary. */
export const registerWorkflows: Register = (program, context) => {
  for (const workflow of context.workflows ?? workflows) {
    const { name, summary, questions } = workflow
    if (summary === undefined) continue
    const group = program.command(name).summary(summary)
    others[name]?.(group, context)
    for (const question of questions) registerQuestion(group, context, workflow, question)
    for (const command of workflow.commands)
      if (command.short) registerShort(group, context, command, command.short, followUps[command.name])
  }
}
