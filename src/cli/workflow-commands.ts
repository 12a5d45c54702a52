import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Question } from '../projections/runtime/question.ts'
import { declaredAs } from '../workflows/declared.ts'
import { allQuestions } from '../workflows/questions.ts'
import type { CliContext, RegisterIn } from './context.ts'
import type { FollowUp } from './do/run-short.ts'
import { type First, registerQuestion } from './question/register.ts'

/** A workflow's own part of the command line, beside its questions and commands. */
interface OwnCommands {
  /** Adds the sub-commands that read files, and those that take long. */
  readonly register?: RegisterIn
  /** By the operator's command that they follow. */
  readonly followUps?: Readonly<Record<string, FollowUp>>
}

/** Work that may come before a question, by its name. */
interface OwnFirsts {
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
  const { firsts } = await ownPart<OwnFirsts>(name, 'firsts')
  const question = context.workflows ? undefined : await questionOf(name, only)
  if (question) return registerQuestion(group, context, name, question, firsts?.[question.name])
  const workflow = context.workflows?.find((one) => one.name === name) ?? (await declaredAs(name)?.workflow())
  if (!workflow) throw new Error(`there is no workflow ${name}`)
  const { register, followUps } = await ownPart<OwnCommands>(name, 'register')
  register?.(group, context)
  for (const question of await allQuestions(workflow.questions))
    registerQuestion(group, context, name, question, firsts?.[question.name])
  const { registerShort } = await import('./do/short-command.ts')
  for (const command of workflow.commands)
    if (command.short) registerShort(group, context, command, command.short, followUps?.[command.name])
}

const questionOf = async (workflow: string, name = ''): Promise<Question | undefined> => {
  const questions = (await declaredAs(workflow)?.questions?.()) ?? {}
  return Object.hasOwn(questions, name) ? questions[name]?.() : undefined
}

/** From `<workflow>/register.ts` or `<workflow>/firsts.ts` beside this file, if it has one. */
const ownPart = async <Part extends object>(
  workflow: string,
  part: 'register' | 'firsts',
): Promise<Partial<Part>> =>
  existsSync(new URL(`./${workflow}/${part}.ts`, import.meta.url))
    ? await import(`./${workflow}/${part}.ts`)
    : {}
