import { Link } from '../../address/use-address.tsx'
import type { Shown } from '../../api/use-answer.ts'
import { Bars } from '../../parts/bars.tsx'
import { OfNowNote } from '../../parts/of-now.tsx'
import { State } from '../../parts/state.tsx'
import { AsOf } from '../../parts/time.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { daysOf, type EventDays } from './days.ts'
import type { Report, Workflow } from './report.ts'

interface WorkflowLineProps {
  readonly workflow: Workflow
  readonly shown: Shown<Report>
  /** What happened on the last days, once that is known. */
  readonly days: EventDays | undefined
}

export const WorkflowLine = ({
  workflow: { name, title, page, days: counted },
  shown: { answered, problem, ofNow },
  days,
}: WorkflowLineProps) => (
  <li class="workflow">
    <h3>
      {page === undefined ? name : <Link to={page}>{name}</Link>} <small>{title}</small>
    </h3>
    <OfNowNote is={ofNow} />
    {problem && <Trouble problem={problem} />}
    {answered ? (
      <Told
        report={answered.data}
        at={answered.at}
        days={answered.data.days ?? (counted && days && daysOf(counted, days))}
      />
    ) : (
      <State is="not known" words={problem ? 'not known' : 'asking …'} />
    )}
  </li>
)

interface ToldProps {
  readonly report: Report
  readonly at: Date
  readonly days: Report['days']
}

const Told = ({ report, at, days }: ToldProps) => (
  <>
    <p class="condition">
      <State is={report.is} />: {report.says}.
    </p>
    <p>
      {[report.amount, report.speed, report.until].filter(Boolean).join(' · ')} <AsOf at={at} />
    </p>
    {days && <Bars {...days} />}
  </>
)
