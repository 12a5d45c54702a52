import { describe, expect, test, vi } from 'vitest'
import { UnavailableError } from '#src/async/unavailable.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { watchClaims } from '#src/workers/ingest/lost-claims.ts'

describe('lost claims', () => {
  const watched = () => {
    let isAway = true
    let rows: readonly object[] = []
    let asked = 0
    const query: ViewStore['query'] = () => {
      asked++
      if (isAway) throw new UnavailableError('the views are away')
      return rows as ReturnType<ViewStore['query']>
    }
    const listeners = new Set<() => void>()
    const claims = watchClaims({ query }, (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    })
    return {
      claims,
      asked: () => asked,
      change: (now: readonly object[]) => {
        rows = now
        for (const listener of listeners) listener()
      },
      comeBack: () => {
        isAway = false
      },
    }
  }

  test('N15 views that are away say nothing of a claim, and end no process', async () => {
    const { claims, asked, change, comeBack } = watched()
    const { signal } = claims.watch(7, 2)
    change([])
    await vi.waitFor(() => expect(asked()).toBe(1))
    expect(signal.aborted).toBe(false)
    comeBack()
    change([{ job: 7, fence: 2, holder: null }])
    await vi.waitFor(() => expect(signal.aborted).toBe(true))
    claims.stop()
  })
})
