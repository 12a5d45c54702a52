import { useEffect, useRef } from 'preact/hooks'
import { Link, useAddress } from '../address/use-address.tsx'

interface SubMenuProps {
  /** For screen readers: whose pages they are. */
  readonly label: string
  /** Addresses with their names. */
  readonly entries: readonly (readonly [to: string, name: string])[]
}

/** The pages of one part of the archive, beside each other; pages below one of them belong to it. */
export const SubMenu = ({ label, entries }: SubMenuProps) => {
  const { path } = useAddress()
  const current = entries
    .map(([to]) => to)
    .filter((to) => path === to || path.startsWith(`${to}/`))
    .toSorted((a, b) => b.length - a.length)[0]
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => showCurrent(list.current), [current])
  return (
    <nav class="tabs" aria-label={label}>
      <ul ref={list}>
        {entries.map(([to, name]) => (
          <li key={to}>
            <Link to={to} current={to === current}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** On a narrow screen the list scrolls sideways: to where one is, and the page stays where it is. */
const showCurrent = (list: HTMLElement | null): void => {
  const entry = list?.querySelector<HTMLElement>('[aria-current]')
  const scrolls = [list, list?.parentElement].find((one) => one && one.scrollWidth > one.clientWidth)
  if (!entry || !scrolls) return
  const [there, here] = [entry.getBoundingClientRect(), scrolls.getBoundingClientRect()]
  scrolls.scrollLeft += there.left - here.left - (here.width - there.width) / 2
}
