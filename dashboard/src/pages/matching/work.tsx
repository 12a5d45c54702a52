import { Link } from '../../address/use-address.tsx'
import { Name, shortened, visible } from '../../parts/name.tsx'
import { graphAt } from './addresses.ts'

interface WorkProps {
  readonly id: string
  readonly title: string | null | undefined
  /** Leads nowhere: it is where one is, or stands in a heading. */
  readonly isHere?: boolean
}

/** A record by its title, with its id beside it; by its id where no title is known. */
export const Work = ({ id, title, isHere = false }: WorkProps) => {
  const to = isHere ? {} : { to: graphAt(id) }
  if (!title?.trim()) return <Name text={id} {...to} />
  return (
    <>
      {isHere ? (
        <Name text={title} />
      ) : (
        <Link to={graphAt(id)} class="name" title={visible(title)}>
          {visible(shortened(title))}
        </Link>
      )}{' '}
      <small>
        <Name text={id} />
      </small>
    </>
  )
}

/** The title of an id among those of an answer. */
export const titleIn = (titles: Readonly<Record<string, string>>, id: string): string | null =>
  Object.hasOwn(titles, id) ? (titles[id] ?? null) : null

interface WorksProps {
  readonly ids: readonly string[]
  readonly titles: Readonly<Record<string, string>>
}

/** Several of them, a line each. */
export const Works = ({ ids, titles }: WorksProps) => (
  <ul class="plain works">
    {ids.map((id) => (
      <li key={id}>
        <Work id={id} title={titleIn(titles, id)} />
      </li>
    ))}
  </ul>
)

/** On one line of a list whose rows have one: its id, and as much of its title as has room. */
export const WorkInLine = ({ id, title }: Pick<WorkProps, 'id' | 'title'>) => (
  <>
    <Name text={id} to={graphAt(id)} />
    {title?.trim() && (
      <span class="why beside" title={visible(title)}>
        {' '}
        {visible(title)}
      </span>
    )}
  </>
)
