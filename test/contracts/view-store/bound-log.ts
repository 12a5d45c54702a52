import { isRight } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Generation, ViewStore } from '../../../src/ports/view-store.ts'
import { thing, type ViewStoreFixture } from './fixture.ts'

/** Which log the rows were folded from. */
export const boundLog = (fixture: ViewStoreFixture) => {
  const { fold, put } = fixture

  describe('the log that is folded', () => {
    let store: ViewStore
    let live: Generation
    beforeEach(() => {
      ;({ store, live } = fixture.now())
    })

    const place = (position: string) => ({
      stream: 'x-1',
      revision: '0',
      id: `event ${position}`,
      position,
      recordedAt: '2026-01-02T00:00:00.000Z',
    })
    const at = (position: bigint, event = place(`${position}`)) => ({
      position,
      time: event.recordedAt,
      event,
    })

    it('is not known before somebody says so', () => {
      expect(store.foldedLog()).toBeUndefined()
      store.bindTo({ id: 'a log', seen: [] }, [])
      expect(store.foldedLog()).toEqual({ id: 'a log', seen: [] })
      store.bindTo({ id: 'a log', seen: [place('7')] }, [])
      store.bindTo({ id: 'another log', seen: [place('8'), place('11'), place('9')] }, [])
      expect(store.foldedLog()).toEqual({
        id: 'another log',
        seen: [place('8'), place('11'), place('9')],
      })
    })
    it('a checkpoint holds the event that it was moved with; none, before the first', () => {
      expect(store.checkpoint(live).event).toBeNull()
      expect(isRight(store.fold(live, -1n, at(5n, place('3')), () => {}))).toBe(true)
      expect(store.checkpoint(live)).toEqual(at(5n, place('3')))
      fold(5n, 6n, () => {})
      expect(store.checkpoint(live).event).toBeUndefined()
    })
    it('a checkpoint goes back, and its rows stay', () => {
      put(-1n, 5n, thing(1))
      store.bindTo({ id: 'a log', seen: [] }, [{ generation: live, from: 5n, to: at(3n), isWrong: false }])
      expect(store.checkpoint(live)).toEqual(at(3n))
      expect(store.query('things', {})).toEqual([thing(1)])
      put(3n, 4n, thing(2))
      expect(store.query('things', {})).toEqual([thing(1), thing(2)])
    })
    it('with rows that are wrong the whole generation goes; without any it goes back', () => {
      put(-1n, 5n, thing(1))
      const place = store.create('place', 1, [])
      store.promote(place)
      expect(isRight(store.fold(place, -1n, at(5n), () => {}))).toBe(true)
      const to = { position: -1n, time: null, event: null }
      store.bindTo(
        { id: 'a log', seen: [] },
        [live, place].map((generation) => ({ generation, from: 5n, to, isWrong: true })),
      )
      expect(store.live('p')).toBeUndefined()
      expect(store.checkpoint(place)).toEqual(to)
    })
    it('what another process moved or dropped meanwhile stays as it is', () => {
      put(-1n, 5n, thing(1))
      const dropped = store.create('q', 1, [])
      store.drop(dropped)
      const to = { position: -1n, time: null, event: null }
      store.bindTo({ id: 'a log', seen: [] }, [
        { generation: live, from: 4n, to, isWrong: true },
        { generation: dropped, from: -1n, to, isWrong: true },
      ])
      expect(store.checkpoint(live).position).toBe(5n)
    })
  })
}
