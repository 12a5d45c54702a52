import { expect, it } from 'vitest'
import { refusedQuestion } from '#src/projections/matching/questions/refused.ts'
import { folded } from './folding.ts'

it('M12: refused updates stand with the titles of their records, the latest first, and those of one record alone', async () => {
  const all = folded()
  const { log } = all
  log.say('A', { title: 'A herbal of the Alps' })
  log.say('B', {})
  log.flush()
  log.refuse({
    message: 'm-1',
    because: 'version 1 came too late',
    details: { work: 'A', offered: 1, held: 2 },
  })
  log.refuse({ details: { work: 'B', offered: 3, held: 4 } })
  log.refuse({ details: { work: 'gone', offered: 1, held: 1 } })
  const ask = async (input: { readonly work?: string } = {}) => {
    const answer = await refusedQuestion.ask(
      all.views,
      { limit: 10, offset: 0, ...input } as never,
      {} as never,
    )
    if (answer._tag === 'Left') throw new Error('there is an answer')
    const { refused, total } = answer.right as {
      readonly refused: readonly { id: string }[]
      readonly total: number
    }
    return { refused, total }
  }
  expect(await ask()).toMatchObject({
    total: 3,
    refused: [
      { id: 'gone', title: null },
      { id: 'B', title: null, offered: 3, held: 4 },
      { id: 'A', title: 'A herbal of the Alps', offered: 1, held: 2, says: 'version 1 came too late' },
    ],
  })
  expect(await ask({ work: 'A' })).toMatchObject({ total: 1, refused: [{ id: 'A' }] })
})
