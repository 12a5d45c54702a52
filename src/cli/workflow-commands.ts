import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Question } from '../projections/runtime/question.ts'
import { declaredAs } from '../workflows/declared.ts'
import { allQuestions } from '../workflows/questions.ts'
import type { CliContext, RegisterIn } from './context.ts'
import type { FollowUp } from './do/run-short.ts'
import { registerShort } from './do/short-command.ts'
import { type First, registerQuestion } from './question/register.ts'

/** A workflow's own part of the command line, beside its questions and commands. */
interface OwnCommands {
  /** Adds the sub-commands that read files, and those that take long. */
  readonly register?: RegisterIn
  /** By the operator's command that they follow. */
  readonly followUps?: Readonly<Record<string, FollowUp>>
  /** By the question that they come before. */
  readonly firsts?: Readonly<Record<string, First>>
}

/**
 * The sub-commands of the workflow that the group is named after. `only`: if it is the name of a question, that one alone,
 * and nothing else of the workflow is loaded.
 */
export const registerCommands = async (
  group: Command,
  context: CliContext,
  only: string | undefined,
): Promise<void> => {
  const name = group.name()
  const { register, followUps, firsts } = await ownCommandsOf(name)
  const question = context.workflows ? undefined : await questionOf(name, only)
  if (question) return registerQuestion(group, context, name, question, firsts?.[question.name])
  const workflow = context.workflows?.find((one) => one.name === name) ?? (await declaredAs(name)?.workflow())
  if (!workflow) throw new Error(`there is no workflow ${name}`)
  register?.(group, context)
  for (const question of await allQuestions(workflow.questions))
    registerQuestion(group, context, name, question, firsts?.[question.name])
  for (const command of workflow.commands)
    if (command.short) registerShort(group, context, command, command.short, followUps?.[command.name])
}

const questionOf = async (workflow: string, name = ''): Promise<Question | undefined> => {
  const questions = (await declaredAs(workflow)?.questions?.()) ?? {}
  return Object.hasOwn(questions, name) ? questions[name]?.() : undefined
}

/** From `<workflow>/register.ts` beside this file, if it has one. */
const ownCommandsOf = async (workflow: string): Promise<OwnCommands> =>
  existsSync(new URL(`./${workflow}/register.ts`, import.meta.url))
    ? await import(`./${workflow}/register.ts`)
    : {}
