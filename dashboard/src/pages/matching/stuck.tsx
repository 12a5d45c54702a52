import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Command } from '../../parts/command.tsx'
import { Name } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf, Since, Time } from '../../parts/time.tsx'
import { graphAt } from './addresses.ts'

const limit = 100

/** What was accepted and is not to be seen, the oldest first. */
export const Stuck = () => (
  <Answer of={useAnswer('/api/v1/matching/stuck', { query: { limit } })}>
    {({ stuck }, at) => (
      <>
        <Table
          caption="Stuck: accepted and not to be seen"
          none="Nothing is stuck."
          rows={stuck}
          keyOf={({ what, id }) => `${what} ${id}`}
          columns={[
            { title: 'Since', cell: ({ since }) => <Time at={since} /> },
            { title: 'Graph', cell: ({ id }) => <Name text={id} to={graphAt(id)} /> },
            { title: 'What is wrong', cell: ({ says }) => <Name text={says} isWhole /> },
            { title: 'Repair', cell: ({ id }) => <Resend work={id} /> },
          ]}
        />
        <AsOf at={at} />
      </>
    )}
  </Answer>
)

/** Why what was said of one work is not to be seen; nothing where it is. */
export const StuckOf = ({ work }: { readonly work: string }) => {
  const { answered } = useAnswer('/api/v1/matching/stuck', { query: { limit } })
  const of = (answered?.data.stuck ?? []).filter(({ id }) => id === work)
  return (
    <>
      {of.map(({ what, since, says }) => (
        <section class="panel" aria-label="Stuck" key={what}>
          <p>
            Stuck for <Since at={since} now={answered?.at ?? new Date()} />: <Name text={says} isWhole />
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
