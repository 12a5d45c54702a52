import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Board, LeaseTerms } from '#src/domain/research/selection/board.ts'
import { boardParts, createBoard, readBoard } from '#src/domain/research/selection/create-board.ts'
import { NaiveBoard, type Told } from './naive-board.ts'
import { at, clipIds, episodeIds, recorded, type Step, step } from './told.ts'

const copyOf = (board: Board): Board => {
  const copy = readBoard(Buffer.concat([...boardParts(board)]))
  if (!copy) throw new Error('The snapshot of a board could not be read')
  return copy
}

/** The board and the rules by the letter, side by side. */
class Pair {
  board = createBoard()
  readonly naive = new NaiveBoard()
  readonly granted: { lease: string; episode: string }[] = []
  held: LeaseTerms[] = []

  take(next: Step): void {
    switch (next.do) {
      case 'fold':
        this.fold(next.told)
        break
      case 'grant':
        this.#grant(next)
        break
      case 'lease': {
        const named = this.granted[next.named.lease % (this.granted.length + 1)]
        const episode = named?.episode ?? next.episode
        this.fold({ of: 'episode', id: episode, event: next.named.make(named?.lease ?? 'unknown', episode) })
        break
      }
      case 'hold':
        this.#hold(next)
        break
      case 'confirm': {
        const terms = this.held.shift()
        if (terms) this.#grant(terms)
        break
      }
      case 'unhold': {
        const terms = this.held.pop()
        if (terms) for (const board of [this.board, this.naive]) board.unhold(terms.lease)
        break
      }
      case 'advance':
        this.#advance(next.to)
        break
      case 'snapshot':
        this.board = copyOf(this.board)
        this.naive.forgetHeld()
        this.held = []
    }
  }

  fold(told: Told): void {
    if (told.event.type === 'Amended' && !this.naive.isCurated(told.id)) return
    expect(this.board.fold(recorded(told))).toBeUndefined()
    this.naive.fold(told)
  }

  #grant({
    lease,
    episode,
    clips,
    deadline,
    notAfter,
  }: Omit<LeaseTerms, 'lease'> & { lease?: string }): void {
    const id = lease ?? `lease-${this.granted.length}`
    this.granted.push({ lease: id, episode })
    const data = {
      lease: id,
      clips: [...clips],
      deadline,
      notAfter,
      fence: 1,
      leaseSeconds: 60,
      policy: 0,
      at: at(0),
    }
    this.fold({ of: 'episode', id: episode, event: { type: 'LeaseGranted', data } })
  }

  #hold({ deadline, notAfter }: { deadline: string; notAfter: string }): void {
    const choice = this.board.select()
    if (!choice) return
    const terms = { ...choice, lease: `held-${this.granted.length}-${this.held.length}`, deadline, notAfter }
    this.held.push(terms)
    this.board.hold(terms)
    this.naive.hold(terms)
  }

  #advance(to: string): void {
    const next = this.board.nextChange()
    if (next === undefined || to < next) {
      const same = [this.board.select(), this.board.readings()]
      this.board.advance(to)
      expect([this.board.select(), this.board.readings()]).toEqual(same)
    }
    this.board.advance(to)
    this.naive.advance(to)
  }
}

const agree = ({ board, naive }: Pair): void => {
  expect(board.select()).toEqual(naive.select())
  expect(board.readings()).toEqual(naive.readings())
  const { researched, leases } = board.size()
  expect({ researched, leases }).toEqual({ researched: naive.results.length, leases: naive.live().length })
  const next = board.nextChange()
  if (next !== undefined) expect(next > naive.now).toBe(true)
}

/** What is said of each episode and pair is what the rules say. */
const explains = ({ board, naive }: Pair): void => {
  const candidates = naive.candidates()
  for (const episode of episodeIds) {
    const place = candidates.indexOf(episode)
    const { reasons, clips } = board.explain(episode)
    if (place === 0) expect(reasons).toEqual([{ kind: 'next' }])
    else if (place > 0) expect(reasons).toEqual([{ kind: 'behind', next: candidates[0], places: place }])
    else expect(reasons.map(({ kind }) => kind)).not.toContain('next')
    expect(reasons).not.toHaveLength(0)
    expect(clips.researched + clips.leased + clips.open).toBe(clips.total)
    for (const clip of clipIds) {
      const known = naive.clips.find(({ id }) => id === clip)
      const open =
        known !== undefined && naive.isFree(known) && !naive.isWaiting(clip) && naive.isOpen(episode, clip)
      expect([episode, clip, board.explainPair(episode, clip).some(({ kind }) => kind === 'open')]).toEqual([
        episode,
        clip,
        open,
      ])
    }
  }
}

const upcomingAgrees = ({ board, naive }: Pair): void => {
  const copy = Object.assign(new NaiveBoard(), structuredClone({ ...naive }))
  const choices = []
  for (let n = 0; n < 6; n++) {
    const choice = copy.select()
    if (!choice) break
    choices.push(choice)
    copy.hold({ ...choice, lease: `upcoming-${n}`, deadline: at(1e6), notAfter: at(1e6) })
  }
  expect(board.upcoming(6)).toEqual(choices)
}

const steps = fc.array(step, { minLength: 10, maxLength: 120, size: 'max' })

test('L10–L23, L1, L2: after any events the board says what the rules say by the letter', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const pair = new Pair()
      for (const next of all) {
        pair.take(next)
        agree(pair)
      }
      explains(pair)
      upcomingAgrees(pair)
      agree(pair)
    }),
    { numRuns: 200 },
  )
})

test('a board that was read from its snapshot goes on as the one that folded everything', () => {
  fc.assert(
    fc.property(steps, steps, (first, rest) => {
      const without = (all: Step[]) => all.filter((one) => one.do !== 'hold' && one.do !== 'snapshot')
      const pair = new Pair()
      for (const next of without(first)) pair.take(next)
      const copy = copyOf(pair.board)
      const other = new Pair()
      Object.assign(other, {
        board: copy,
        granted: [...pair.granted],
        naive: Object.assign(new NaiveBoard(), structuredClone({ ...pair.naive })),
      })
      for (const next of without(rest)) {
        pair.take(next)
        other.take(next)
        expect(other.board.select()).toEqual(pair.board.select())
        expect(other.board.readings()).toEqual(pair.board.readings())
        expect(other.board.nextChange()).toEqual(pair.board.nextChange())
      }
      const explained = ({ board }: Pair) =>
        episodeIds.flatMap((episode) => [
          board.explain(episode),
          ...clipIds.map((clip) => board.explainPair(episode, clip).toSorted(byText)),
        ])
      expect(explained(other)).toEqual(explained(pair))
      expect(other.board.size()).toEqual(pair.board.size())
    }),
    { numRuns: 100 },
  )
})

test('X14: what can be handed out, and what waits, is counted as it would be chosen', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { board, naive } = pairAfter(all)
      const choices = board.upcoming(Number.POSITIVE_INFINITY)
      const { items, pairs, waitingPairs, until } = board.outlook()
      expect([items, pairs]).toEqual([choices.length, choices.flatMap(({ clips }) => clips).length])
      const waiting = naive.clips.filter((clip) => naive.isFree(clip) && naive.isWaiting(clip.id))
      const episodes = naive.episodes.filter((episode) => naive.isFree(episode))
      const along = choices.flatMap(({ clips }) => clips.filter((clip) => naive.isWaiting(clip)))
      const open = episodes.flatMap(({ id }) => waiting.filter((clip) => naive.isOpen(id, clip.id)))
      expect(waitingPairs).toBe(open.length - along.length)
      if (waitingPairs > 0) expect(until).toBeDefined()
    }),
    { numRuns: 200 },
  )
})

test('X14: under other settings a board is what it would become, and itself stays as it is', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 3 }), fc.nat(100), (all, maxClips, batchSeconds) => {
      const { board, naive } = pairAfter([{ do: 'advance', to: at(0) }, ...all, { do: 'snapshot' }])
      const changed = copyOf(board)
      const policy = { ...board.policy().policy, maxClips, batchClips: 2, batchSeconds, agingSeconds: 60 }
      const version = board.policy().version + 1
      const data = { version, policy, reason: 'because', at: naive.now }
      const before = lookAt(board)
      const other = board.under(policy)
      expect(lookAt(board)).toEqual(before)
      changed.fold(recorded({ of: 'desk', id: 'research', event: { type: 'PolicySet', data } }))
      expect(lookAt(other)).toEqual(lookAt(changed))
    }),
    { numRuns: 100 },
  )
})

const pairAfter = (all: readonly Step[]): Pair => {
  const pair = new Pair()
  for (const next of all) pair.take(next)
  return pair
}

const lookAt = (board: Board) => [
  board.policy(),
  board.upcoming(20),
  board.outlook(),
  board.readings(),
  board.size(),
]

const byText = (one: unknown, other: unknown): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
