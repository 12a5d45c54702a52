import { type Answer as AnswerOf, get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { usePast } from '../../api/use-past.ts'
import { Answer } from '../../parts/answer.tsx'
import { Command } from '../../parts/command.tsx'
import { ActTable } from '../../parts/many/act-table.tsx'
import type { Choosing } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Since, Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { Work } from './work.tsx'

type StuckLine = AnswerOf<'/api/v1/matching/stuck'>['stuck'][number]

const kinds = {
  unmatched: 'works that are in no graph yet',
  unindexed: 'graphs whose documents are not all written',
  unsent: 'events that are not on their topic yet',
  'no-target': 'graphs of which nothing is shown',
  'two-targets': 'graphs that are shown as several works',
  astray: 'graphs with redirects that lead out of them',
} as const

/** What can be done with several of them. */
const stuckChoosing: Choosing<StuckLine> = {
  nouns: ['graph', 'graphs'],
  nameOf: ({ id }) => id,
  standsOf: ({ says }) => says,
  acts: [
    commandAct({
      name: 'matching.resend',
      verb: 'Send again',
      says: 'Every work of each graph gets its document anew: the repair of whatever is missing or wrong downstream. It changes no fact.',
      input: ({ id }) => ({ work: id }),
    }),
  ],
}

/** What was accepted and is not to be seen, a list for each kind: of some there may be as many as there are records. */
export const Stuck = () => (
  <>
    <h2>Stuck</h2>
    {usePast() && <p class="why">What topics had not got then is not known.</p>}
    <Kinds />
  </>
)

const Kinds = () => (
  <Answer of={useAnswer('/api/v1/matching/stuck', { query: { limit: 1 } })}>
    {({ counts }) => (
      <>
        {counts.length === 0 && <p class="none">Nothing is stuck.</p>}
        {counts.map(({ what }) => (
          <Paged
            key={what}
            name={what}
            caption={kinds[what]}
            ask={async (page, signal) => {
              const { data, at } = await get('/api/v1/matching/stuck', { query: { what, ...page } }, signal)
              return { data: { rows: data.stuck, total: data.counts[0]?.count ?? 0 }, at }
            }}
          >
            {({ rows, total }, page) => (
              <ActTable<StuckLine>
                {...page}
                total={total}
                choosing={stuckChoosing}
                caption={`Stuck: ${kinds[what]}, ${count(total)} of them, the oldest first`}
                none="There is none any more."
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Since', cell: ({ since }) => <Time at={since} /> },
                  { title: 'Graph', cell: ({ id, title }) => <Work id={id} title={title} /> },
                  { title: 'What is wrong', cell: ({ says }) => <Name text={says} isWhole /> },
                  { title: 'Repair', cell: ({ id }) => <Resend work={id} /> },
                ]}
              />
            )}
          </Paged>
        ))}
      </>
    )}
  </Answer>
)

/** Why what was said of one work, or of its graph, is not to be seen; nothing where it is. */
export const StuckOf = ({ work }: { readonly work: string }) => {
  const { answered } = useAnswer('/api/v1/matching/stuck', { query: { work } })
  return (
    <>
      {answered?.data.stuck.map(({ what, since, says }) => (
        <section class="panel" aria-label="Stuck" key={what}>
          <p>
            Stuck for <Since at={since} now={answered.at} />: <Name text={says} isWhole />
          </p>
          <div class="buttons">
            <Resend work={work} />
          </div>
        </section>
      ))}
    </>
  )
}

export const Resend = ({ work }: { readonly work: string }) => (
  <Command
    name="matching.resend"
    input={{ work }}
    verb="Send it again"
    says="Every work of the graph gets its document anew: the repair of whatever is missing or wrong downstream. It changes no fact."
  />
)
