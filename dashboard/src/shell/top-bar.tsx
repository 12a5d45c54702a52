import { Link, useAddress } from '../address/use-address.tsx'
import { Name } from '../parts/name.tsx'
import { Find } from '../search/find.tsx'
import { Connection } from './connection.tsx'
import { useTitle } from './named.ts'
import { sectionOf } from './sections.ts'
import { TimeMachineButton } from './time-machine/button.tsx'

/** Where this is, and what is at hand on every page. */
export const TopBar = () => (
  <header class="top">
    <nav class="where" aria-label="Where this is">
      <Crumbs />
    </nav>
    <Find />
    <TimeMachineButton />
    <Connection />
  </header>
)

const Crumbs = () => {
  const { path } = useAddress()
  const title = useTitle()
  const section = sectionOf(path)
  const isSection = section === undefined || section.name === title
  return (
    <ol class="crumbs">
      {!isSection && (
        <li>
          <Link to={section.path}>{section.name}</Link>
        </li>
      )}
      <li aria-current="page">
        <Name text={title} />
      </li>
    </ol>
  )
}
