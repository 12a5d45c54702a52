import { Link } from '../../address/use-address.tsx'
import type { Shown } from '../../api/use-answer.ts'
import { Bars } from '../../parts/bars.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
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

/** How one workflow is: its state, the number that leads, what was done on the last days, and other numbers. */
export const WorkflowLine = ({
  workflow: { name, title, page, days: counted },
  shown: { answered, problem, ofNow },
  days,
}: WorkflowLineProps) => (
  <li class="workflow" title={title}>
    <h3>
      <Icon of={name as IconName} />
      <Link to={page}>{name[0]?.toUpperCase() + name.slice(1)}</Link>
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

const Told = ({ report: { is, says, amount, facts }, at, days }: ToldProps) => (
  <>
    <p class="condition">
      <State is={is} words={says} />
    </p>
    <p class="big">
      {amount.value} <small>{amount.of}</small>
    </p>
    {days && <Bars {...days} />}
    <dl class="kv">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    <AsOf at={at} />
  </>
)
