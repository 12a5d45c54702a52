import { describe } from 'vitest'
import { consuming } from './broker/consuming.ts'
import { type BrokerUnderTest, brokerFixture } from './broker/fixture.ts'
import { producing } from './broker/producing.ts'
import { reading } from './broker/reading.ts'
import { renaming } from './broker/renaming.ts'
import { sharing } from './broker/sharing.ts'

/**
 * What every broker must do, whatever keeps the topics. Handlers may see a record twice (at least once), so tests
 * ask for order and completeness, and for exactly once only where the broker promises it: below a committed offset.
 */
export const brokerContract = (name: string, open: () => Promise<BrokerUnderTest>) => {
  describe(`broker contract: ${name}`, () => {
    const fixture = brokerFixture(open)
    producing(fixture)
    consuming(fixture)
    reading(fixture)
    sharing(fixture)
    renaming(fixture)
  })
}
