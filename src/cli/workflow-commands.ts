import type { Command } from 'commander'
import { declaredAs } from '../workflows/declared.ts'
import type { CliContext, RegisterIn } from './context.ts'
import type { FollowUp } from './do/run-short.ts'
import { registerShort } from './do/short-command.ts'
import { registerFixity } from './fixity/register.ts'
import { registerIndexing } from './indexing/register.ts'
import { registerIngest } from './ingest/register.ts'
import { reindexed } from './matching/reindex.ts'
import { registerQuestion } from './question/register.ts'
import { registerAdd } from './research/register.ts'

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
export const registerCommands = async (group: Command, context: CliContext): Promise<void> => {
  const name = group.name()
  const workflow = context.workflows?.find((one) => one.name === name) ?? (await declaredAs(name)?.workflow())
  if (!workflow) throw new Error(`there is no workflow ${name}`)
  others[name]?.(group, context)
  for (const question of workflow.questions) registerQuestion(group, context, workflow, question)
  for (const command of workflow.commands)
    if (command.short) registerShort(group, context, command, command.short, followUps[command.name])
}
