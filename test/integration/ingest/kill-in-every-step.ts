import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { System } from '../../../src/app/system.ts'
import { type Started, until } from '../../e2e/run-fonds.ts'
import { patience } from '../../patience.ts'
import { areAlive, isAtWork } from '../nodes/cluster.ts'
import { followWork, steps } from './work-in-progress.ts'

interface Killing {
  readonly system: System
  readonly chance: () => number
  readonly kills: number
  /** It goes on until each step was hit: short steps are often over before the kill. */
  readonly everyStep: boolean
  /** The processes, each in its place; a killed one is started again there. */
  readonly live: Started[]
  readonly start: (place: number) => Started
  readonly handIn: (round: number) => Promise<void>
  /** Batches that were handed in. */
  readonly submitted: () => number
  /** Everybody stands still meanwhile: storage must be whole. */
  readonly judge: (when: string) => Promise<void>
}

/**
 * Kills processes at random moments, and sees to it that some fall into each step: each time, the step that was hit least is
 * waited for. The others stand still while storage is judged, longer than some of their claims hold. Gives how many it killed.
 */
export const killInEveryStep = async (killing: Killing): Promise<number> => {
  const { system, chance, kills, everyStep, live, start, handIn, judge } = killing
  const work = followWork(system)
  const hits = new Map<string, number>(steps.map((step) => [step, 0]))
  const isIncomplete = () => [...hits.values()].includes(0)
  let killed = 0
  for (let round = 1; killed < kills || (everyStep && isIncomplete() && killed < 6 * kills); round++) {
    await handIn(round)
    // Mostly at work, sometimes while it starts.
    if (chance() < 0.8) await until('all at work', () => live.every(isAtWork))
    const wanted = leastHit(hits, chance)
    await stopAt(wanted, work, killing)
    const victims = choose(live, work.inHand(), wanted, chance)
    for (const place of victims) live[place]!.child.kill('SIGKILL')
    await Promise.all(victims.map((place) => live[place]!.exit))
    for (const place of victims)
      for (const step of stepsOf(live[place]!, work.inHand())) hits.set(step, (hits.get(step) ?? 0) + 1)
    killed += victims.length
    await judge(`after kill ${killed}`)
    for (const { child } of live) child.kill('SIGCONT')
    for (const place of victims) live[place] = start(place)
  }
  console.log(`${killed} kills, in ${[...hits].map(([step, count]) => `${step} ${count}`).join(', ')}`)
  if (everyStep) expect([...hits].filter(([, count]) => count === 0)).toEqual([])
  return killed
}

type InHand = ReturnType<ReturnType<typeof followWork>['inHand']>

const leastHit = (hits: ReadonlyMap<string, number>, chance: () => number): string => {
  const least = Math.min(...hits.values())
  const those = [...hits].filter(([, count]) => count === least)
  return those[Math.floor(chance() * those.length)]![0]
}

/** Everybody: somewhere in the step, or some time after it began. */
const stopAt = async (
  wanted: string,
  work: ReturnType<typeof followWork>,
  killing: Killing,
): Promise<void> => {
  const { live, chance, submitted } = killing
  const later = chance() < 0.5 ? chance() * 300 : undefined
  for (;;) {
    await untilInHand(wanted, work, killing)
    await setTimeout(later ?? chance() * 5)
    for (const { child } of live) child.kill('SIGSTOP')
    await work.refresh()
    if (later !== undefined || isInProgress(wanted, work) || work.batchesEnded() === submitted()) return
    // It was over sooner.
    for (const { child } of live) child.kill('SIGCONT')
  }
}

const isInProgress = (wanted: string, work: ReturnType<typeof followWork>): boolean =>
  work.inHand().some(({ step }) => step === wanted)

/** Or until all that was handed in has come to its end. */
const untilInHand = async (
  wanted: string,
  work: ReturnType<typeof followWork>,
  { live, submitted }: Killing,
): Promise<void> => {
  const deadline = performance.now() + patience
  while (areAlive(live)) {
    await work.refresh()
    if (isInProgress(wanted, work) || work.batchesEnded() === submitted()) return
    if (performance.now() > deadline) throw new Error(`nobody came to ${wanted}`)
    // Some steps last hardly longer, and who asks without a pause takes the processor of those who work.
    await setTimeout(3)
  }
}

const stepsOf = ({ child }: Started, inHand: InHand): ReadonlySet<string> =>
  new Set(inHand.filter(({ pid }) => pid === child.pid).map(({ step }) => step))

/** The places of one who is at the wanted step, or of any, and of some others. */
const choose = (
  live: readonly Started[],
  inHand: InHand,
  wanted: string,
  chance: () => number,
): readonly number[] => {
  const rest = live.map((_, place) => place)
  const take = (place: number) => rest.splice(rest.indexOf(place), 1)[0]!
  const any = () => rest[Math.floor(chance() * rest.length)]!
  const first = live.findIndex((one) => stepsOf(one, inHand).has(wanted))
  const victims = [take(first === -1 ? any() : first)]
  for (let more = Math.floor(chance() * live.length); more > 0; more--) victims.push(take(any()))
  return victims
}
