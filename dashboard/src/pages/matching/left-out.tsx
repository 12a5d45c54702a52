import { useAnswer } from '../../api/use-answer.ts'
import { Command } from '../../parts/command.tsx'
import { Name } from '../../parts/name.tsx'
import { graphAt } from './addresses.ts'

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
            <Name text={to} to={graphAt(to)} />{' '}
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
