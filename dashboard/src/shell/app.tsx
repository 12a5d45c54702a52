import { useEffect, useState } from 'preact/hooks'
import { match } from '../address/address.ts'
import { AddressProvider, Link, useAddress } from '../address/use-address.tsx'
import { LiveProvider } from '../api/live.tsx'
import { useAnswer } from '../api/use-answer.ts'
import { pages } from '../pages/pages.ts'
import { Trouble } from '../parts/trouble.tsx'
import { Lost } from './connection.tsx'
import { useKeys } from './keys.ts'
import { Lazy } from './lazy.tsx'
import { Rail, TabBar } from './rail.tsx'
import { SessionContext } from './session.tsx'
import { AsOfMoment, TimeMachine } from './time-machine/time-machine.tsx'
import { TitleProvider } from './title.tsx'
import { TopBar } from './top-bar.tsx'

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
      <TitleProvider>
        <TimeMachine>
          <Frame />
        </TimeMachine>
      </TitleProvider>
    </SessionContext.Provider>
  )
}

const Frame = () => {
  const { path } = useAddress()
  const [isOpen, open] = useState(false)
  useKeys()
  useEffect(() => open(false), [path])
  return (
    <div class="app">
      <a class="skip" href="#main">
        To the content
      </a>
      <Rail isOpen={isOpen} />
      <TopBar />
      <div class="page">
        <AsOfMoment>
          <main id="main" tabIndex={-1}>
            <Lost />
            <Page />
          </main>
        </AsOfMoment>
      </div>
      <TabBar isOpen={isOpen} onToggle={() => open(!isOpen)} />
    </div>
  )
}

const Page = () => {
  const { path } = useAddress()
  const found = pages.find(({ pattern }) => match(pattern, path) !== undefined)
  if (!found)
    return (
      <>
        <h1>There is no such page</h1>
        <p>
          <code class="name">{path}</code> leads nowhere. <Link to="/">Home</Link> leads everywhere.
        </p>
      </>
    )
  return <Lazy key={found.pattern} load={found.load} values={match(found.pattern, path) ?? {}} />
}
