import { beforeEach, describe, expect, it } from 'vitest'
import { type EventPlace, placeOf } from '../../../src/domain/kernel/event-place.ts'
import { checkpointsHeld } from '../../../src/processors/runtime/checkpoints-held.ts'
import { event } from '../../contracts/new-event.ts'
import { type FakeEventStore, fakeEventStore } from '../../fakes/event-store.ts'
import { streamOf } from './log.ts'

let store: FakeEventStore
/** Of the events at positions 0, 1, 2 and so on, to 5. */
let places: readonly EventPlace[]

beforeEach(async () => {
  store = fakeEventStore()
  for (let i = 0; i < 6; i++) await store.append('account-a', 'any', [event()])()
  places = (await streamOf(store, 'account-a')).map(placeOf)
})
const gone = (position: string): EventPlace => ({ ...places[0]!, id: 'another', position })

describe('what a duty tells of how far the work has come', () => {
  it('is true where the log holds the event that it was at', async () => {
    const checkpoints = {
      positions: { one: '5', other: '3' },
      events: { one: places[5]!, other: places[2]! },
    }
    expect(await checkpointsHeld(store, checkpoints, 9n)).toEqual(checkpoints)
  })

  it('goes back to the last event that the log holds', async () => {
    const checkpoints = {
      positions: { ahead: '270', rests: '2', quiet: '270', slow: '270' },
      events: { ahead: gone('260'), rests: places[2]!, quiet: null, slow: places[1]! },
    }
    expect(await checkpointsHeld(store, checkpoints, 5n)).toEqual({
      positions: { ahead: '2', rests: '2', quiet: '2', slow: '2' },
      events: { rests: places[2], quiet: null, slow: places[1] },
    })
  })

  it('goes back also where the log has grown past the position since', async () => {
    const checkpoints = { positions: { one: '4' }, events: { one: gone('4') } }
    expect(await checkpointsHeld(store, checkpoints, 5n)).toEqual({ positions: { one: '-1' }, events: {} })
  })

  it('as an older program told it: is true where it comes before the telling', async () => {
    const checkpoints = { positions: { one: '4', other: '270' } }
    expect(await checkpointsHeld(store, checkpoints, 5n)).toEqual({
      positions: { one: '4', other: '-1' },
      events: {},
    })
  })
})
