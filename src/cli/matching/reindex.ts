import { Started } from '../../domain/matching/generations/decide.ts'
import { compareGenerations } from '../../projections/matching/questions/compare-generations.ts'
import { comparisonLines } from '../../projections/matching/questions/comparison-lines.ts'
import { generationOf } from '../../projections/matching/questions/reading.ts'
import type { FollowUp } from '../do/run-short.ts'
import { refused } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { visible } from '../output/text.ts'
import { untilBuilt } from './until-built.ts'

/** Writes which generation was begun; with `--wait` returns when it is built, and writes how it differs. */
export const reindexed: FollowUp = {
  flags: [['--wait', 'stay until it is built']],
  follow: async (session, done, { wait }) => {
    const result = done.kind === 'done' ? done.result : undefined
    if (!Started.is(result))
      return refused(
        'a generation was begun before, under the same --id',
        '`fonds matching generations` shows it',
      )
    const { generation } = result
    const { output } = session
    if (wait !== true) {
      await output.write(
        output.isTTY
          ? `generation ${generation} is to be built: \`fonds matching generations\` shows when it is ready\n`
          : `${jsonText({ generation })}\n`,
      )
      return undefined
    }
    const system = await session.system()
    await untilBuilt(session, system, generation)
    const live = generationOf(system.viewStore, {})
    const comparison = await compareGenerations(system.viewStore, live, generation)
    const lines = [
      `generation ${generation} is ready; \`fonds matching switch ${generation}\` gives it to readers`,
      ...comparisonLines(comparison),
    ]
    await output.write(
      output.isTTY
        ? lines.map((line) => `${visible(line)}\n`).join('')
        : `${jsonText({ generation, comparison })}\n`,
    )
    return undefined
  },
}
