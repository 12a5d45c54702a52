import { eveningBefore, type Lane } from './overview.ts'

const hourMillis = 3600 * 1000
const maxAheadHours = 6

/** The evening before; where all began later, the hour in which it did. */
export const beginOf = (lanes: readonly Lane[], now: Date): Date => {
  const evening = eveningBefore(now)
  const isYoung = lanes.every(({ days }) =>
    days.every(
      ({ day, done, wrong, odd }) => day >= evening.toISOString().slice(0, 10) || done + wrong + odd === 0,
    ),
  )
  const first = lanes.flatMap(({ runs }) => runs.map(({ from }) => from)).toSorted()[0]
  if (!isYoung || first === undefined || Date.parse(first) < evening.getTime()) return evening
  const hour = new Date(first)
  hour.setMinutes(0, 0, 0)
  return hour
}

/** Minutes between ticks, for a span of so many hours. */
const tickMinutes = (hours: number): number => (hours <= 3 ? 15 : hours <= 8 ? 60 : 180)

/** From a begin to a little beyond now, and to where what is under way is expected to end. */
export const scaleOf = (lanes: readonly Lane[], evening: Date, now: Date) => {
  const ends = lanes.flatMap(({ underWay }) => (underWay ?? []).flatMap(({ until }) => until ?? []))
  const beyond = Math.min(hourMillis, (now.getTime() - evening.getTime()) / 8)
  const latest = Math.max(now.getTime() + beyond, ...ends.map((end) => Date.parse(end)))
  const end = Math.min(latest, now.getTime() + maxAheadHours * hourMillis)
  const from = evening.getTime()
  const x = (time: string | Date | number): number => {
    const millis = typeof time === 'number' ? time : new Date(time).getTime()
    return Math.min(Math.max((millis - from) / (end - from), 0), 1) * 100
  }
  const ticks: Date[] = []
  const minutes = tickMinutes((end - from) / hourMillis)
  for (const tick = new Date(evening); tick.getTime() < end; tick.setMinutes(tick.getMinutes() + minutes))
    ticks.push(new Date(tick))
  return { x, ticks, end: new Date(end) }
}
export type Scale = ReturnType<typeof scaleOf>

/** A bar of the picture: what ran, or runs and is expected to end. */
export interface Bar {
  readonly from: string
  readonly until: string
  readonly isUnderWay: boolean
  /** When it is expected to end. */
  readonly expected: string | undefined
  readonly done: number
  readonly wrong: number
  readonly odd: number
}

/** Work of the last minutes goes on if its workflow has some under way. */
const recentMillis = 20 * 60 * 1000

/** The bars of a lane, the oldest first. */
export const barsOf = ({ runs, underWay }: Lane, now: Date): readonly Bar[] => {
  const expected = (underWay ?? [])
    .flatMap(({ until }) => until ?? [])
    .toSorted()
    .at(-1)
  const goesOn = (underWay ?? []).length > 0
  return runs.map((run, i) => {
    const isUnderWay = goesOn && i === runs.length - 1 && now.getTime() - Date.parse(run.until) < recentMillis
    return {
      ...run,
      until: isUnderWay ? now.toISOString() : run.until,
      isUnderWay,
      expected: isUnderWay ? expected : undefined,
    }
  })
}
