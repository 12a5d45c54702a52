import { useEffect } from 'preact/hooks'
import { match } from '../address/address.ts'
import { AddressProvider, Link, useAddress } from '../address/use-address.tsx'
import { answered } from '../api/client.ts'
import { LiveProvider } from '../api/live.tsx'
import { useAnswer } from '../api/use-answer.ts'
import { pages } from '../pages/pages.ts'
import { Trouble } from '../parts/trouble.tsx'
import { zone } from '../parts/words.ts'
import { Connection } from './connection.tsx'
import { Lazy } from './lazy.tsx'
import { SessionContext, useSession } from './session.tsx'
import { ThemeSwitch } from './theme.tsx'
import { TimeMachine } from './time-machine/time-machine.tsx'

export const App = () => (
  <AddressProvider>
    <LiveProvider>
      <Session />
    </LiveProvider>
  </AddressProvider>
)

const Session = () => {
  const { answered, problem } = useAnswer('/session')
  if (!answered) return problem ? <Trouble problem={problem} /> : <p class="waiting">Asking …</p>
  return (
    <SessionContext.Provider value={answered.data}>
      <a class="skip" href="#main">
        To the content
      </a>
      <Head />
      <TimeMachine>
        <main id="main" tabIndex={-1}>
          <Page />
        </main>
      </TimeMachine>
      <Foot />
    </SessionContext.Provider>
  )
}

const Head = () => {
  const { path } = useAddress()
  const { mayWrite, needsToken } = useSession()
  return (
    <header>
      <nav aria-label="Pages">
        <ul>
          {pages
            .filter(({ name }) => name !== undefined)
            .map(({ pattern, name }) => (
              <li key={pattern}>
                <Link to={pattern} current={path === pattern}>
                  {name}
                </Link>
              </li>
            ))}
        </ul>
      </nav>
      {!mayWrite && <p class="read-only">This session may only read.</p>}
      {needsToken && (
        <button type="button" onClick={leave}>
          Leave
        </button>
      )}
      <Connection />
    </header>
  )
}

/** The browser forgets the session; the page that asks for the token is next. */
const leave = async (): Promise<void> => {
  await answered('/session', { method: 'DELETE' })
  location.assign('/enter')
}

const Page = () => {
  const { path } = useAddress()
  const found = pages.find(({ pattern }) => match(pattern, path) !== undefined)
  const title = found?.title ?? 'There is no such page'
  useEffect(() => {
    document.title = `${title} · Fonds`
  }, [title])
  if (!found)
    return (
      <>
        <h1>{title}</h1>
        <p>
          <code class="name">{path}</code> leads nowhere. <Link to="/">Home</Link> leads everywhere.
        </p>
      </>
    )
  return <Lazy key={found.pattern} load={found.load} values={match(found.pattern, path) ?? {}} />
}

const Foot = () => (
  <footer>
    <ThemeSwitch />
    <p>
      Times are in this browser’s zone, {zone(new Date())}. All of it is also at <a href="/api/v1">/api/v1</a>
      , for programs.
    </p>
  </footer>
)
