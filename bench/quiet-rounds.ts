import { existsSync, readFileSync } from 'node:fs'
import { cpuUsage } from 'node:process'

/** Of a processor, what others may use in a round that counts. */
const most = 0.06
/** For each round that is wanted. */
const attempts = 8

/**
 * Rounds in which others left the machine alone, for measures that need all of its processors: figures by the clock say nothing of
 * us while others work. Gives those of all measures, and how many rounds were left out; where the machine is never quiet, or its
 * kernel does not say what it does, the last ones whatever they are.
 */
export const quietRounds = async (
  rounds: number,
  ...measures: (() => Promise<number>)[]
): Promise<{ readonly figures: readonly (readonly number[])[]; readonly disturbed: number }> => {
  const quiet: number[][] = []
  const all: number[][] = []
  while (quiet.length < rounds && all.length < rounds * attempts) {
    const figures: number[] = []
    let others = 0
    for (const measure of measures) {
      const before = { millis: performance.now(), busy: busyMillis(), own: ownMillis() }
      figures.push(await measure())
      const used = busyMillis() - before.busy - (ownMillis() - before.own)
      others = Math.max(others, used / (performance.now() - before.millis))
    }
    all.push(figures)
    if (others < most) quiet.push(figures)
  }
  const kept = quiet.length === rounds ? quiet : all.slice(-rounds)
  return {
    figures: measures.map((_, i) => kept.map((figures) => figures[i]!)),
    disturbed: all.length - quiet.length,
  }
}

const ownMillis = (): number => {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

const stat = '/proc/stat'
const tickMillis = 10

/** Of all processors and all programs, since the machine was started. */
const busyMillis = (): number => {
  if (!existsSync(stat)) return 0
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = readFileSync(stat, 'utf8')
    .split('\n', 1)[0]!
    .split(/\s+/)
    .map(Number)
  return (user + nice + system + irq + softIrq) * tickMillis
}
