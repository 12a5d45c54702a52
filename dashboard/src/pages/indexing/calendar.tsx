import { Link } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { count, plural } from '../../parts/words.ts'
import { monthNames, weekdays, weeksOf } from './weeks.ts'

type DayCount = AnswerOf<'/api/v1/indexing/captures'>['days'][number]

/** What came of a capture: told by its shape and its word. */
const outcomes = {
  content: ['●', 'content'],
  revisits: ['↺', 'repeats an earlier one'],
  redirects: ['→', 'redirect'],
  errors: ['✕', 'error'],
} as const
type Outcome = keyof typeof outcomes

export const outcomeOf = ({
  mime,
  status,
}: {
  readonly mime: string | null
  readonly status: string | null
}): Outcome => {
  if (mime === 'warc/revisit') return 'revisits'
  return /^3\d\d$/.test(status ?? '') ? 'redirects' : /^[45]\d\d$/.test(status ?? '') ? 'errors' : 'content'
}

export const Shape = ({ of }: { readonly of: Outcome }) => (
  <>
    <span aria-hidden="true">{outcomes[of][0]}</span> {outcomes[of][1]}
  </>
)

export const Legend = () => (
  <p class="why">
    {(Object.keys(outcomes) as Outcome[]).map((one, i) => (
      <span key={one}>
        {i > 0 && ' · '}
        <Shape of={one} />
      </span>
    ))}
  </p>
)

interface YearProps {
  readonly year: number
  /** Days with captures, by `2026-01-31`. */
  readonly days: ReadonlyMap<string, DayCount>
  readonly chosen: string | undefined
  readonly linkTo: (day: string) => string
}

/** The months of a year that have captures. Weeks begin on Monday. */
export const Year = ({ year, days, ...more }: YearProps) => (
  <div class="months">
    {monthNames.map((name, month) => {
      const prefix = `${year}-${String(month + 1).padStart(2, '0')}-`
      return [...days.keys()].some((day) => day.startsWith(prefix)) ? (
        <Month key={name} name={name} weeks={weeksOf(year, month)} prefix={prefix} days={days} {...more} />
      ) : null
    })}
  </div>
)

interface MonthProps extends Omit<YearProps, 'year'> {
  readonly name: string
  readonly weeks: readonly (readonly (number | undefined)[])[]
  readonly prefix: string
}

const Month = ({ name, weeks, prefix, days, chosen, linkTo }: MonthProps) => (
  <table class="month">
    <caption>{name}</caption>
    <thead>
      <tr>
        {weekdays.map((weekday) => (
          <th key={weekday} scope="col" abbr={weekday}>
            {weekday.slice(0, 2)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {weeks.map((week, w) => (
        <tr key={w}>
          {week.map((date, d) => {
            const day = date === undefined ? '' : `${prefix}${String(date).padStart(2, '0')}`
            const counted = days.get(day)
            return (
              <td key={d}>
                {counted ? (
                  <Link to={linkTo(day)} current={day === chosen}>
                    {date} <Counts of={counted} />
                  </Link>
                ) : (
                  date
                )}
              </td>
            )
          })}
        </tr>
      ))}
    </tbody>
  </table>
)

const Counts = ({ of }: { readonly of: DayCount }) => {
  const { captures, revisits, redirects, errors } = of
  const counts = { content: captures - revisits - redirects - errors, revisits, redirects, errors }
  const there = (Object.keys(outcomes) as Outcome[]).filter((one) => counts[one] > 0)
  return (
    <>
      <span aria-hidden="true">
        {there.map((one) => (
          <span key={one} class="mark">
            {outcomes[one][0]}
            {count(counts[one])}
          </span>
        ))}
      </span>
      <span class="unseen">
        {plural(captures, 'capture')}:{' '}
        {there.map((one) => `${count(counts[one])} ${outcomes[one][1]}`).join(', ')}
      </span>
    </>
  )
}
