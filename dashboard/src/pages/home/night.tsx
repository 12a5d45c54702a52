import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { clock, plural } from '../../parts/words.ts'
import { type Bar, barsOf, beginOf, type Scale, scaleOf } from './night-scale.ts'
import { amountWords, type Lane, type Overview, titled } from './overview.ts'

interface NightProps {
  readonly overview: Overview
  readonly now: Date
}

const laneHeight = 28
const barHeight = 18
/** A narrower bar has no room for words; it has them under the pointer, and in the list. */
const minTextPercent = 8

/** What ran since the evening, a lane for each workflow on one axis of time. */
export const Night = ({ overview: { lanes }, now }: NightProps) => {
  const evening = beginOf(lanes, now)
  const bars = lanes.flatMap((lane) =>
    barsOf(lane, now)
      .filter(({ until }) => Date.parse(until) >= evening.getTime())
      .map((bar) => ({ lane, bar })),
  )
  const since = `${evening.toDateString() === now.toDateString() ? 'today' : 'yesterday'}, ${clock(evening).slice(0, 5)}`
  return (
    <section aria-labelledby="night">
      <div class="ph">
        <h2 id="night">Since {since}</h2>
        <span class="why">{inWords(bars.map(({ bar }) => bar))}</span>
        <Legend />
      </div>
      {bars.length > 0 && (
        <>
          <div class="night">
            <ul class="names" aria-hidden="true">
              {lanes.map(({ workflow }) => (
                <li key={workflow}>{titled(workflow)}</li>
              ))}
            </ul>
            <Lanes lanes={lanes} evening={evening} now={now} since={since} />
          </div>
          <details>
            <summary>As a list</summary>
            <Table
              caption={`What ran since ${since}`}
              none="Nothing ran."
              rows={bars}
              keyOf={({ lane, bar }) => `${lane.workflow} ${bar.from}`}
              columns={[
                { title: 'Workflow', cell: ({ lane }) => titled(lane.workflow) },
                { title: 'From', cell: ({ bar }) => <Time at={bar.from} form="when" /> },
                {
                  title: 'Until',
                  cell: ({ bar }) => (bar.isUnderWay ? 'under way' : <Time at={bar.until} form="when" />),
                },
                { title: 'Done', cell: ({ lane, bar }) => amountWords(lane, bar) },
              ]}
            />
          </details>
        </>
      )}
    </section>
  )
}

const inWords = (bars: readonly Bar[]): string => {
  if (bars.length === 0) return 'Nothing ran.'
  const going = bars.filter(({ isUnderWay }) => isUnderWay).length
  const wrong = bars.reduce((sum, bar) => sum + bar.wrong, 0)
  return [
    ...(bars.length > going ? [`${plural(bars.length - going, 'run')} done`] : []),
    ...(going > 0 ? [`${plural(going, 'run')} under way`] : []),
    ...(wrong > 0 ? [`${plural(wrong, 'thing')} went wrong`] : []),
  ].join(', ')
}

const Legend = () => (
  <ul class="legend end" aria-label="Legend">
    <li>
      <i class="key done" /> done
    </li>
    <li>
      <i class="key run" /> under way, expected until
    </li>
    <li>
      <i class="key wrong" /> went wrong
    </li>
    <li>
      <i class="key odd" /> to look at
    </li>
  </ul>
)

interface LanesProps {
  readonly lanes: readonly Lane[]
  readonly evening: Date
  readonly now: Date
  readonly since: string
}

const Lanes = ({ lanes, evening, now, since }: LanesProps) => {
  const scale = scaleOf(lanes, evening, now)
  const height = lanes.length * laneHeight
  const percent = (n: number) => `${n.toFixed(3)}%`
  const here = scale.x(now)
  return (
    <svg
      role="img"
      height={height + 24}
      aria-label={`What ran in each workflow since ${since}, with what went wrong, and until when the rest is expected to run: the list below says the same`}
    >
      {scale.ticks.map((tick, i) => (
        <g key={tick.getTime()}>
          <line class="rule" x1={percent(scale.x(tick))} x2={percent(scale.x(tick))} y1={0} y2={height} />
          {Math.abs(scale.x(tick) - here) > 4 && (
            <text
              class={i % 2 === 0 ? 'tick' : 'tick odd-tick'}
              x={percent(scale.x(tick))}
              y={height + 16}
              text-anchor={i === 0 ? 'start' : 'middle'}
            >
              {clock(tick).slice(0, 5)}
            </text>
          )}
        </g>
      ))}
      {lanes.map((lane, i) => (
        <g key={lane.workflow}>
          <line
            class="rule"
            x1="0"
            x2="100%"
            y1={(i + 1) * laneHeight - 0.5}
            y2={(i + 1) * laneHeight - 0.5}
          />
          <OneLane lane={lane} top={i * laneHeight} scale={scale} now={now} />
        </g>
      ))}
      <line class="nowl" x1={percent(here)} x2={percent(here)} y1={0} y2={height + 4} />
      <text class="nowt" x={percent(here)} y={height + 16} text-anchor="middle">
        {clock(now).slice(0, 5)}
      </text>
    </svg>
  )
}

interface OneLaneProps {
  readonly lane: Lane
  readonly top: number
  readonly scale: Scale
  readonly now: Date
}

const OneLane = ({ lane, top, scale, now }: OneLaneProps) => {
  const percent = (n: number) => `${n.toFixed(3)}%`
  const y = top + (laneHeight - barHeight) / 2
  return (
    <>
      {barsOf(lane, now).map((bar) => {
        const from = scale.x(bar.from)
        const width = Math.max(scale.x(bar.until) - from, 0.25)
        const expected = bar.expected === undefined ? 0 : scale.x(bar.expected) - scale.x(bar.until)
        return (
          <g key={bar.from} class={bar.isUnderWay ? 'bar run' : 'bar'}>
            <title>
              {`${titled(lane.workflow)}, ${clock(new Date(bar.from)).slice(0, 5)} to ${bar.isUnderWay ? 'now' : clock(new Date(bar.until)).slice(0, 5)}: ${amountWords(lane, bar)}`}
            </title>
            {expected > 0 && (
              <rect
                class="expected"
                x={percent(scale.x(bar.until))}
                width={percent(expected)}
                y={y}
                height={barHeight}
              />
            )}
            <rect class="body" x={percent(from)} width={percent(width)} y={y} height={barHeight} />
            {width > minTextPercent && (
              <svg x={percent(from)} width={percent(width)} y={y} height={barHeight} aria-hidden="true">
                <text x={7} y={13}>
                  {amountWords(lane, { ...bar, wrong: 0, odd: 0 })}
                </text>
              </svg>
            )}
          </g>
        )
      })}
      {lane.marks
        .filter(({ at }) => scale.x(at) > 0)
        .map((mark) => (
          <svg key={mark.at} class="mark-at" x={percent(scale.x(mark.at))} y={top + laneHeight / 2}>
            <title>
              {`${titled(lane.workflow)}, ${clock(new Date(mark.at)).slice(0, 5)}: ${mark.wrong > 0 ? `${plural(mark.wrong, 'thing')} went wrong` : `${plural(mark.odd, 'thing')} to look at`}`}
            </title>
            <path
              class={mark.wrong > 0 ? 'wrong' : 'odd'}
              d={mark.wrong > 0 ? 'M0-7l7 7-7 7-7-7z' : 'M0-6.5L7 6H-7z'}
            />
          </svg>
        ))}
    </>
  )
}
