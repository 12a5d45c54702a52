import type { Command } from 'commander'
import type { CliContext } from './context.ts'
import { registerCompare } from './matching/compare.ts'
import { registerGenerations } from './matching/generations.ts'
import { registerGraph } from './matching/graph.ts'
import { registerHandOver } from './matching/hand-over.ts'
import { registerHistory } from './matching/history.ts'
import { registerQuality } from './matching/quality.ts'
import { registerReindex } from './matching/reindex.ts'
import { registerResend } from './matching/resend.ts'
import { registerStuck } from './matching/stuck.ts'
import { registerSummary } from './matching/summary.ts'
import { registerVerify } from './matching/verify.ts'
import { registerWhatIf } from './matching/what-if.ts'
import { registerWhy } from './matching/why.ts'

export const registerMatching = (program: Command, context: CliContext): void => {
  const matching = program.command('matching').summary('which records are about one and the same work?')
  for (const register of [
    registerGraph,
    registerWhy,
    registerHistory,
    registerWhatIf,
    registerSummary,
    registerStuck,
    registerQuality,
    registerVerify,
    registerResend,
    registerHandOver,
    registerReindex,
    registerCompare,
    registerGenerations,
  ])
    register(matching, context)
}
