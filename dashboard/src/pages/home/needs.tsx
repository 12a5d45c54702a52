import { Link } from '../../address/use-address.tsx'
import { Name } from '../../parts/name.tsx'
import { Path } from '../../parts/path.tsx'
import { Shape } from '../../parts/state.tsx'
import { historyAt } from '../../parts/thing.tsx'
import { Since } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import type { Need, Report } from './report.ts'

interface NeedsProps {
  readonly asked: readonly {
    readonly of: string
    readonly report: Pick<Report, 'needs' | 'hasMoreNeeds'> | undefined
  }[]
  readonly now: Date
}

/** What waits for a person, the oldest first. */
export const Needs = ({ asked, now }: NeedsProps) => {
  const needs = asked
    .flatMap(({ of, report }) => (report?.needs ?? []).map((need) => ({ ...need, of })))
    .toSorted((a, b) => (a.since < b.since ? -1 : 1))
  const more = asked.filter(({ report }) => report?.hasMoreNeeds).map(({ of }) => of)
  const isWhole = asked.every(({ report }) => report !== undefined)
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">
        Needs a person{' '}
        <span class="count">
          {count(needs.length)}
          {more.length > 0 && '+'}
        </span>
      </h2>
      {needs.length === 0 && (
        <p>{isWhole ? 'Nothing waits for anybody.' : 'Nothing so far: not all have answered.'}</p>
      )}
      <ol class="needs flush">
        {needs.map((need) => (
          <NeedLine key={need.href + need.subject + need.says} need={need} of={need.of} now={now} />
        ))}
      </ol>
      {needs.length > 0 && (
        <p class="why">
          <kbd>j</kbd> <kbd>k</kbd> go from row to row, <kbd>↵</kbd> opens one.
        </p>
      )}
      {more.length > 0 && <p>There are more of {more.join(', ')}: the oldest of each kind are listed.</p>}
    </section>
  )
}

/** A name may have 4096 characters; a sentence has fewer. */
const maxWhole = 400

interface NeedLineProps {
  readonly need: Need
  readonly of: string
  readonly now: Date
}

const NeedLine = ({ need, of, now }: NeedLineProps) => {
  const { since, subject, says, is = 'needs somebody', href, verb, thing } = need
  return (
    <li>
      <span class={`state ${is.replace(' ', '-')}`}>
        <Shape of={is} />
        <span class="unseen">{is}</span>
      </span>
      <div class="what">
        <span class="lead">
          <Path text={subject} to={href} />
        </span>{' '}
        <span class="says">
          <Name text={says} isWhole={says.length <= maxWhole} />
        </span>
      </div>
      <span class="kind">
        {of}
        <br /> for <Since at={since} now={now} />
      </span>
      <span class="verbs">
        {thing !== undefined && (
          <Link to={historyAt(thing)} class="button small bare">
            Its history
          </Link>
        )}
        <Link to={href} class="button small">
          {verb}
        </Link>
      </span>
    </li>
  )
}
