import { useAnswer } from '../../api/use-answer.ts'
import { Command } from '../../parts/command.tsx'
import { Work } from './work.tsx'

/** Events that say nothing of links may follow, as few as persons wanted. */
const limit = 20

/** Links of a work that persons dropped, each with the button that puts it back; nothing where there is none. */
export const LeftOut = ({ work }: { readonly work: string }) => {
  const { answered } = useAnswer('/api/v1/streams/{stream}', {
    path: { stream: `work-${work}` },
    query: { direction: 'backward', limit },
  })
  const said = answered?.data.events.find(({ type }) => type === 'WorkObserved' || type === 'WorkCorrected')
  const { dropped = [] } = (said?.data ?? {}) as { readonly dropped?: readonly string[] }
  if (dropped.length === 0) return null
  return (
    <section class="panel" aria-label="Links that were left out">
      <p>Persons left out what its source says of these:</p>
      <ul>
        {dropped.map((to) => (
          <li key={to}>
            <Titled id={to} />{' '}
            <Command
              name="matching.restore-link"
              input={{ from: work, to }}
              verb="Put it back"
              says="The link counts again, as its source stated it."
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Links that persons dropped are few: each title is asked for by itself. */
const Titled = ({ id }: { readonly id: string }) => {
  const { answered } = useAnswer('/api/v1/views/matching-works', {
    query: { where: [`work=${id}`], limit: 1 },
  })
  return <Work id={id} title={answered?.data.rows[0]?.title} />
}
