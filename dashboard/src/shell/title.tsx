import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useAddress } from '../address/use-address.tsx'
import { titleOf } from '../pages/pages.ts'
import { visible } from '../parts/name.tsx'
import { NameContext, type Named } from './named.ts'
import { sectionOf } from './sections.ts'

/** The title of the page, in the tab and for all that name it. */
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
  return <NameContext.Provider value={context}>{children}</NameContext.Provider>
}
