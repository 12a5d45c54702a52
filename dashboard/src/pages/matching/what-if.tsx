import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, post } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Act } from '../../parts/act.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { count, plural } from '../../parts/words.ts'
import { graphAt } from './addresses.ts'
import { LeftOut } from './left-out.tsx'

type Outcome = AnswerOf<'/api/v1/matching/what-if'>['before'][number]

/** Documents named; of more a person would read no line. */
const maxNamed = 100

/** What would become of the works if a link were dropped; and then to do it. */
export const WhatIf = ({ from, to }: { readonly from: string; readonly to: string }) => {
  const address = useAddress()
  return (
    <section class="panel" aria-labelledby="what-if">
      <h2 id="what-if">
        What if the link from <Name text={from} /> to <Name text={to} /> were dropped?
      </h2>
      <p class="verbs">
        <Link to={changed(address, { from: undefined, to: undefined })}>Close</Link>
      </p>
      <Answer of={useAnswer('/api/v1/matching/what-if', { query: { change: 'drop', from, to } })}>
        {({ stated, before, after, changed }) => (
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
              <Outcomes title="Now" outcomes={before} />
              <Outcomes title="Then" outcomes={after} />
            </div>
            {changed.length > 0 && (
              <Table
                caption="What readers would get"
                none=""
                rows={changed.slice(0, maxNamed)}
                keyOf={({ work }) => work}
                columns={[
                  { title: 'Work', cell: ({ work }) => <Name text={work} to={graphAt(work)} /> },
                  { title: 'Now', cell: ({ before }) => <Name text={before} /> },
                  { title: 'Then', cell: ({ after }) => <Name text={after} /> },
                ]}
              />
            )}
            {changed.length > maxNamed && <p class="why">The first {count(maxNamed)} of them are listed.</p>}
            <Act
              verb="Drop the link"
              says="It counts no more, until its source sends a higher version of the work: have it mended there, too."
              cannot={stated ? undefined : 'The link is not stated.'}
              act={({ key, ...by }) =>
                post('/api/v1/commands/matching.drop-link', { body: { input: { from, to }, ...by }, key })
              }
            />
          </>
        )}
      </Answer>
    </section>
  )
}

const maxMembers = 10

const Outcomes = ({ title, outcomes }: { readonly title: string; readonly outcomes: readonly Outcome[] }) => (
  <div>
    <h3>{title}</h3>
    <ul>
      {outcomes.map(({ members, placeholders, target }) => (
        <li key={members[0] ?? placeholders[0]}>
          {plural(members.length, 'work')}
          {target !== null && (
            <>
              , shown as <Name text={target} />
            </>
          )}
          :{' '}
          {members.slice(0, maxMembers).map((id, i) => (
            <>
              {i > 0 && ', '}
              <Name key={id} text={id} to={graphAt(id)} />
            </>
          ))}
          {members.length > maxMembers && ` and ${count(members.length - maxMembers)} more`}
        </li>
      ))}
    </ul>
  </div>
)
