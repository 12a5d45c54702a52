import { expect, it } from 'vitest'
import type { RunFacts } from '#src/ports/capture-index.ts'
import { runsQuestion } from '#src/projections/indexing/questions/runs-question.ts'

const run: RunFacts = {
  ...{ name: 'r-1', lines: 10, bytes: 1000, sha256: 'a', first: 'a', last: 'b' },
  ...{ level: 0, files: 1, state: 'live', badBlocks: 0, isSuspect: false },
}

const ask = async (...badBlocks: readonly number[]) => {
  const index = { runs: async () => badBlocks.map((bad, i) => ({ ...run, name: `r-${i}`, badBlocks: bad })) }
  const given = { of: { indexing: { captures: async () => ({ index }), indexPlace: async () => ({}) } } }
  const answer = await runsQuestion.ask(undefined as never, {} as never, given as never)
  if (answer._tag === 'Left') throw new Error(JSON.stringify(answer.left))
  const answered = answer.right as { readonly runs: readonly { readonly badBlocks: number }[] }
  return {
    bad: answered.runs.map((one) => one.badBlocks),
    remarks: runsQuestion.remarks?.(answer.right as never, {} as never),
  }
}

it('says how many blocks of each run are damaged, and where more is said of it', async () => {
  expect(await ask(0, 2)).toEqual({ bad: [0, 2], remarks: [expect.stringContaining('`fonds doctor`')] })
  expect(await ask(0, 0)).toEqual({ bad: [0, 0], remarks: [] })
})
