import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { type Address, addressOf, carried } from './address.ts'

const Current = createContext<Address>(addressOf('/'))

export const useAddress = (): Address => useContext(Current)

const moved = 'fonds-moved'

/** Opens another address of this page; the past that is shown stays. `replace`: without a step back to this one. */
export const go = (to: string, { replace = false } = {}): void => {
  const here = carried(to, addressOf(location.href).query.get('at'))
  if (replace) history.replaceState(null, '', here)
  else history.pushState(null, '', here)
  dispatchEvent(new Event(moved))
}

export const AddressProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const [address, setAddress] = useState(() => addressOf(location.href))
  useEffect(() => {
    const read = () => setAddress(addressOf(location.href))
    addEventListener('popstate', read)
    addEventListener(moved, read)
    return () => {
      removeEventListener('popstate', read)
      removeEventListener(moved, read)
    }
  }, [])
  return <Current.Provider value={address}>{children}</Current.Provider>
}

interface LinkProps {
  readonly to: string
  readonly children: ComponentChildren
  readonly class?: string
  readonly current?: boolean
  readonly title?: string
  /** What it is called, where its words are drawn. */
  readonly label?: string
  /** The key that opens it, as its button says. */
  readonly dataKey?: string
}

/** A link within this page: it stays a link for a new tab, a bookmark, a screen reader. */
export const Link = ({ to, children, current = false, label, dataKey, ...rest }: LinkProps) => {
  const { query } = useAddress()
  return (
    <a
      href={carried(to, query.get('at'))}
      {...(dataKey !== undefined && { 'data-key': dataKey })}
      {...(label !== undefined && { 'aria-label': label })}
      {...(current && { 'aria-current': 'page' as const })}
      {...rest}
      onClick={(event) => {
        const isPlain =
          event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
        if (!isPlain) return
        event.preventDefault()
        go(to)
      }}
    >
      {children}
    </a>
  )
}
