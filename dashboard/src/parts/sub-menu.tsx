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
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
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
