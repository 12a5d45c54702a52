import { describe } from 'vitest'
import { boundLog } from './view-store/bound-log.ts'
import { shapesOf, type ViewStoreUnderTest, viewStoreFixture } from './view-store/fixture.ts'
import { folding } from './view-store/folding.ts'
import { generations } from './view-store/generations.ts'
import { questions } from './view-store/questions.ts'
import { sharing } from './view-store/sharing.ts'

/** What every view store must do, wherever it keeps the rows. */
export const viewStoreContract = (name: string, open: () => ViewStoreUnderTest) => {
  describe(`view store contract: ${name}`, () => {
    describe.each(Object.keys(shapesOf) as (keyof typeof shapesOf)[])('%s', (kept) => {
      const fixture = viewStoreFixture(open, kept)
      folding(fixture)
      boundLog(fixture)
      questions(fixture)
      generations(fixture)
      sharing(fixture)
    })
  })
}
