import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import type { EpisodeEvent } from '#src/domain/research/episode/events.ts'
import { runs } from '../../../runs.ts'
import { type Lived, live, lives } from './lives.ts'

/*
 * Any interleaving of assigners with stale views, researchers, intakes and clocks, on one episode: decisions are those of
 * the naive episode, and what must never happen does not, told from the events alone.
 */

const inEveryLife = (holds: (lived: readonly Lived[]) => void) =>
  fc.assert(
    fc.property(lives, (life) => {
      holds(live(life))
    }),
    { numRuns: runs(500) },
  )

/** The lease that an event ends, or says to have ended or expired. */
const endedBy = ({ type, data }: EpisodeEvent): string | undefined => {
  if (type === 'LeaseExpired' || type === 'LeaseReleased' || type === 'LeaseRevoked') return data.lease
  if (type !== 'ClipResearched' && type !== 'ResearchFailed') return undefined
  const { effect, lease } = data
  const over = effect.kind === 'revoked' || (effect.kind === 'none' && /expired|ended/.test(effect.because))
  return over ? lease : undefined
}

const deadlineIn = ({ type, data }: EpisodeEvent): string | undefined => {
  if (type === 'LeaseGranted' || type === 'LeaseExtended') return data.deadline
  if (type !== 'ClipResearched' && type !== 'ResearchFailed') return undefined
  return data.effect.kind === 'extended' ? data.effect.deadline : undefined
}

describe('one episode under any interleaving', () => {
  it('decides as the naive one does', () => {
    inEveryLife((lived) => {
      for (const { told, expected } of lived) expect(told).toEqual(expected)
    })
  })

  it('these lives hold every fact of leases and results, every effect and every refusal', () => {
    const lived = fc.sample(lives, { numRuns: 500, seed: 1 }).flatMap(live)
    const words = lived.flatMap(({ told }) => told).flatMap((line) => line.split(' '))
    const seen = new Set(words.filter((word) => /^[A-Za-z-]{3,}$/.test(word)))
    const facts = episodeDecider.events.types.filter((type) =>
      /^(Lease|Work|Clip|Research|Reopened)/.test(type),
    )
    const effects = ['extended', 'revoked', 'none', 'no-lease', 'unknown', 'expired', 'ended']
    const marks = ['repeat', 'outsideLease', 'notTheHolder', 'attempt', 'parked', 'silent']
    const refusals = ['pair-taken', 'unknown-lease', 'lease-ended', 'stale-item', 'taken-by-another']
    expect([...seen]).toEqual(
      expect.arrayContaining([...facts, ...effects, ...marks, ...refusals, 'not-the-holder']),
    )
  })

  it('F2: no pair is ever in two leases that have not ended', () => {
    inEveryLife((lived) => {
      const open = new Map<string, readonly string[]>()
      for (const { events } of lived) {
        for (const event of events) {
          const ended = endedBy(event)
          if (ended !== undefined) open.delete(ended)
          if (event.type === 'LeaseGranted') open.set(event.data.lease, event.data.clips)
        }
        const held = [...open.values()].flat()
        expect(new Set(held).size).toBe(held.length)
      }
    })
  })

  it('L37, L43: no result is lost; each pair counts exactly once, and once more each time it was reopened', () => {
    inEveryLife((lived) => {
      const counted = new Set<string>()
      for (const { command, events } of lived) {
        const results = events.filter((event) => event.type === 'ClipResearched')
        expect(results).toHaveLength(command.type === 'Report' ? 1 : 0)
        for (const { data } of results) {
          expect(data.repeat).toBe(counted.has(data.clip))
          counted.add(data.clip)
        }
        for (const { type, data } of events)
          if (type === 'Reopened') for (const clip of data.clips ?? counted) counted.delete(clip)
      }
    })
  })

  it('F13, F29: deadlines never move back, nor beyond the end of the longest life', () => {
    inEveryLife((lived) => {
      const leases = new Map<string, { deadline: string; endsBy: string }>()
      for (const event of lived.flatMap(({ events }) => events)) {
        const { data } = event
        const deadline = deadlineIn(event)
        if (deadline === undefined || !('lease' in data) || data.lease === undefined) continue
        const known = leases.get(data.lease)
        const endsBy = known?.endsBy ?? (('endsBy' in data && data.endsBy) || '')
        expect(deadline >= (known?.deadline ?? '')).toBe(true)
        expect(deadline <= endsBy).toBe(true)
        leases.set(data.lease, { deadline, endsBy })
      }
    })
  })

  it('L37, L40: nothing touches a lease after its end, whatever clocks say', () => {
    inEveryLife((lived) => {
      const over = new Set<string>()
      for (const event of lived.flatMap(({ events }) => events)) {
        const { data } = event
        const lease = 'lease' in data ? data.lease : undefined
        const touches = !('effect' in data) || data.effect.kind !== 'none'
        if (lease !== undefined && touches) expect(over).not.toContain(lease)
        const ended = endedBy(event)
        if (ended !== undefined) over.add(ended)
      }
    })
  })

  it('every event can be stored as JSON and read again, and says the same', () => {
    inEveryLife((lived) => {
      for (const { type, data } of lived.flatMap(({ events }) => events)) {
        const metadata = { actor: 'ada', causationId: 'c', correlationId: 'c', schema: 1 }
        const stored = JSON.parse(JSON.stringify(data))
        expect(episodeDecider.events.read({ type, data: stored, metadata })).toEqual({
          _tag: 'Right',
          right: { type, data },
        })
      }
    })
  })
})
