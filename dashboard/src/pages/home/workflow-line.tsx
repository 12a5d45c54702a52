import { Link } from '../../address/use-address.tsx'
import type { Shown } from '../../api/use-answer.ts'
import { Bars } from '../../parts/bars.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { OfNowNote } from '../../parts/of-now.tsx'
import { State } from '../../parts/state.tsx'
import { AsOf } from '../../parts/time.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { type Lane, titled } from './overview.ts'
import type { Report, Workflow } from './report.ts'

interface WorkflowLineProps {
  readonly workflow: Workflow
  readonly shown: Shown<Report>
  /** What it did on the last days, once that is known. */
  readonly lane: Lane | undefined
}

/** How one workflow is: its state, the number that leads, what was done on the last days, and other numbers. */
export const WorkflowLine = ({
  workflow: { name, title, page },
  shown: { answered, problem, ofNow },
  lane,
}: WorkflowLineProps) => (
  <li class="workflow" title={title}>
    <h3>
      <Icon of={name as IconName} />
      <Link to={page}>{titled(name)}</Link>
    </h3>
    <OfNowNote is={ofNow} />
    {problem && <Trouble problem={problem} />}
    {answered ? (
      <Told report={answered.data} at={answered.at} lane={lane} />
    ) : (
      <State is="not known" words={problem ? 'not known' : 'asking …'} />
    )}
  </li>
)

interface ToldProps {
  readonly report: Report
  readonly at: Date
  readonly lane: Lane | undefined
}

const Told = ({ report: { is, says, amount, facts }, at, lane }: ToldProps) => (
  <>
    <p class="condition">
      <State is={is} words={says} />
    </p>
    <p class="big">
      {amount.value} <small>{amount.of}</small>
    </p>
    {lane?.isCounted && <Days lane={lane} />}
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

const daysInChart = 14

/** Those that went wrong are among what was done. */
const Days = ({ lane: { counts, days } }: { readonly lane: Lane }) => (
  <Bars
    says={`${titled(counts[1])} a day`}
    bars={days
      .slice(-daysInChart)
      .map(({ day, done, wrong }) => ({ label: day, value: done + wrong, wrong }))}
  />
)
