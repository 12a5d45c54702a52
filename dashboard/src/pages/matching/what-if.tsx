import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, post } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Act } from '../../parts/act.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { count, plural } from '../../parts/words.ts'
import { LeftOut } from './left-out.tsx'
import { titleIn, Work, Works } from './work.tsx'

type Outcome = AnswerOf<'/api/v1/matching/what-if'>['before'][number]

/** Documents named; of more a person would read no line. */
const maxNamed = 100

/** What would become of the works if a link were dropped; and then to do it. */
export const WhatIf = ({ from, to }: { readonly from: string; readonly to: string }) => {
  const address = useAddress()
  const asked = useAnswer('/api/v1/matching/what-if', { query: { change: 'drop', from, to } })
  const known = asked.answered?.data.titles ?? {}
  return (
    <section class="panel" aria-labelledby="what-if">
      <h2 id="what-if">
        What if the link from <Work id={from} title={titleIn(known, from)} isHere /> to{' '}
        <Work id={to} title={titleIn(known, to)} isHere /> were dropped?
      </h2>
      <p class="verbs">
        <Link to={changed(address, { from: undefined, to: undefined })}>Close</Link>
      </p>
      <Answer of={asked}>
        {({ stated, before, after, changed, titles }) => (
          <>
            {stated ? (
              <p>
                {after.length > before.length
                  ? 'The works would part.'
                  : 'The works would stay one: something else joins them, too.'}{' '}
                {changed.length === 0
                  ? 'Readers would see no difference.'
                  : `Readers would get ${plural(changed.length, 'other document')}.`}
              </p>
            ) : (
              <>
                <p>The link is not stated now: there is nothing to drop.</p>
                <LeftOut work={from} />
              </>
            )}
            <div class="side-by-side">
              <Outcomes title="Now" outcomes={before} titles={titles} />
              <Outcomes title="Then" outcomes={after} titles={titles} />
            </div>
            {changed.length > 0 && (
              <Table
                caption="What readers would get"
                none=""
                rows={changed.slice(0, maxNamed)}
                keyOf={({ work }) => work}
                columns={[
                  { title: 'Work', cell: ({ work }) => <Work id={work} title={titleIn(titles, work)} /> },
                  { title: 'Now', cell: ({ before }) => <Name text={before} /> },
                  { title: 'Then', cell: ({ after }) => <Name text={after} /> },
                ]}
              />
            )}
            {changed.length > maxNamed && <p class="why">The first {count(maxNamed)} of them are listed.</p>}
            <div class="buttons">
              <Act
                verb="Drop the link"
                says="It counts no more, until its source sends a higher version of the work: have it mended there, too."
                cannot={stated ? undefined : 'The link is not stated.'}
                act={({ key, ...by }) =>
                  post('/api/v1/commands/matching.drop-link', { body: { input: { from, to }, ...by }, key })
                }
              />
            </div>
          </>
        )}
      </Answer>
    </section>
  )
}

const maxMembers = 10

interface OutcomesProps {
  readonly title: string
  readonly outcomes: readonly Outcome[]
  readonly titles: Readonly<Record<string, string>>
}

const Outcomes = ({ title, outcomes, titles }: OutcomesProps) => (
  <div>
    <h3>{title}</h3>
    <ul>
      {outcomes.map(({ members, placeholders, target }) => (
        <li key={members[0] ?? placeholders[0]}>
          {plural(members.length, 'work')}
          {target !== null && (
            <>
              , shown as <Work id={target} title={titleIn(titles, target)} isHere />
            </>
          )}
          : <Works ids={members.slice(0, maxMembers)} titles={titles} />
          {members.length > maxMembers && ` and ${count(members.length - maxMembers)} more`}
        </li>
      ))}
    </ul>
  </div>
)
