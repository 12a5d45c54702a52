import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { useAddress } from '../address/use-address.tsx'
import { titleOf } from '../pages/pages.ts'
import { visible } from '../parts/name.tsx'
import { sectionOf } from './sections.ts'

interface Named {
  readonly at: string
  readonly name: string
}

const Context = createContext<{ readonly title: string; readonly name: (named: Named) => void }>({
  title: '',
  name: () => {},
})

/** The name of what is shown: of the thing, where the address or the page knows one. */
export const useTitle = (): string => useContext(Context).title

/** Names what a page shows once that is known, as the title of an episode. */
export const useNamed = (name: string | undefined): void => {
  const { path } = useAddress()
  const context = useContext(Context)
  useEffect(() => {
    if (name !== undefined) context.name({ at: path, name })
  }, [path, name])
}

export const TitleProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const address = useAddress()
  const { path } = address
  const [named, setNamed] = useState<Named>()
  const title = visible(named?.at === path ? named.name : titleOf(address))
  const section = sectionOf(path)?.name
  useEffect(() => {
    document.title = [title, ...(section === title ? [] : [section]), 'Fonds'].filter(Boolean).join(' · ')
  }, [title, section])
  const context = useMemo(() => ({ title, name: setNamed }), [title])
  return <Context.Provider value={context}>{children}</Context.Provider>
}
