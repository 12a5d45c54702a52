import { Link, useAddress } from '../address/use-address.tsx'
import { type Answer, type Answered, get, leave } from '../api/client.ts'
import { useAsked } from '../api/use-answer.ts'
import { Icon } from '../parts/icon.tsx'
import { Name } from '../parts/name.tsx'
import { compact, count, zone } from '../parts/words.ts'
import { noPermission } from './may-act.ts'
import { groups, sectionOf } from './sections.ts'
import { useSession } from './session.tsx'
import { ThemeSwitch } from './theme.tsx'

/** The way to every part, and where one is. On a phone it opens from *More*. */
export const Rail = ({ isOpen }: { readonly isOpen: boolean }) => {
  const { path, query } = useAddress()
  const current = sectionOf(path)
  // The rail stands outside of what is shown as of then. What waited once, waits no more: nothing is asked.
  const isPast = query.has('at')
  const { answered: waiting } = useAsked(
    (signal): Promise<Answered<Needs | undefined>> =>
      isPast ? Promise.resolve(noneWaits) : get('/api/v1/overview/needs', {}, signal),
    isPast ? 'nothing' : 'needs',
  )
  return (
    <div class={isOpen ? 'rail open' : 'rail'} id="rail">
      <nav aria-label="Pages">
        <Link to="/" class="mark">
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M2 3h16v3.2H2zM2 8.4h12v3.2H2zM2 13.8h8V17H2z" />
          </svg>
          Fonds
        </Link>
        {groups.map(({ title, sections }) => (
          <div key={title}>
            {title !== '' && <h2>{title}</h2>}
            <ul>
              {sections.map((section) => (
                <li key={section.path}>
                  <Link to={section.path} current={section === current}>
                    <Icon of={section.icon} />
                    {section.name}
                    {waiting?.data && <NeedsPerson count={needsOf(waiting.data, section.waits)} />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <Foot />
    </div>
  )
}

type Needs = Answer<'/api/v1/overview/needs'>

const noneWaits = { data: undefined, at: new Date(0) }

const needsOf = ({ messages, needs }: Needs, waits: string | undefined): number =>
  (waits === 'messages' ? messages : needs.find(({ workflow }) => workflow === waits)?.needs) ?? 0

const NeedsPerson = ({ count: n }: { readonly count: number }) =>
  n === 0 ? null : (
    <span class="count" title={`${count(n)} ${n === 1 ? 'needs' : 'need'} a person`}>
      {compact(n)}
      <span class="unseen"> {n === 1 ? 'needs' : 'need'} a person</span>
    </span>
  )

const Foot = () => {
  const session = useSession()
  const { person, permission, needsToken } = session
  const cannot = noPermission(session, {})
  return (
    <footer>
      {person && (
        <p title={person.reference}>
          <Name text={person.name ?? person.mail ?? person.reference} /> may {permission}.
        </p>
      )}
      {cannot !== undefined && <p>{cannot}</p>}
      <ThemeSwitch />
      <p>
        Times are in {zone(new Date())}. <Link to="/words">Words</Link> · <a href="/api/v1">For programs</a>
      </p>
      {needsToken && (
        <button type="button" class="small" onClick={leave}>
          {person ? 'Sign out' : 'Leave'}
        </button>
      )}
    </footer>
  )
}

const onPhone = groups
  .flatMap(({ sections }) => sections)
  .filter(({ path }) => ['/', '/fixity', '/ingest', '/log'].includes(path))

interface TabBarProps {
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** The rail of a phone: the parts that are looked at most, and all the others. */
export const TabBar = ({ isOpen, onToggle }: TabBarProps) => {
  const current = sectionOf(useAddress().path)
  return (
    <nav class="tabbar" aria-label="Pages, on a phone">
      {onPhone.map((section) => (
        <Link key={section.path} to={section.path} current={section === current}>
          <Icon of={section.icon} />
          {section.name}
        </Link>
      ))}
      <button type="button" aria-expanded={isOpen} aria-controls="rail" onClick={onToggle}>
        <Icon of="more" />
        More
      </button>
    </nav>
  )
}
