import { createContext } from 'preact'
import { useContext, useEffect } from 'preact/hooks'
import { useAddress } from '../address/use-address.tsx'

export interface Named {
  readonly at: string
  readonly name: string
}

export const NameContext = createContext<{
  readonly title: string
  readonly name: (named: Named) => void
}>({ title: '', name: () => {} })

/** The name of what is shown: of the thing, where the address or the page knows one. */
export const useTitle = (): string => useContext(NameContext).title

/** Names what a page shows once that is known, as the title of an episode. */
export const useNamed = (name: string | undefined): void => {
  const { path } = useAddress()
  const context = useContext(NameContext)
  useEffect(() => {
    if (name !== undefined) context.name({ at: path, name })
  }, [path, name])
}
