import { describe } from 'vitest'
import { appending } from './event-store/appending.ts'
import { type EventStoreUnderTest, eventStoreFixture } from './event-store/fixture.ts'
import { reading } from './event-store/reading.ts'
import { stored } from './event-store/stored.ts'
import { streams } from './event-store/streams.ts'
import { subscribing } from './event-store/subscribing.ts'

/** What every event store must do, whatever holds the log. Names quote the append truth table. */
export const eventStoreContract = (name: string, open: () => Promise<EventStoreUnderTest>) => {
  describe(`event store contract: ${name}`, () => {
    const fixture = eventStoreFixture(open)
    appending(fixture)
    streams(fixture)
    reading(fixture)
    stored(fixture)
    subscribing(fixture)
  })
}
