import { Link, useAddress } from '../address/use-address.tsx'

interface SubMenuProps {
  /** For screen readers: whose pages they are. */
  readonly label: string
  /** Addresses with their names. */
  readonly entries: readonly (readonly [to: string, name: string])[]
}

/** The pages of one part of the archive, beside each other. */
export const SubMenu = ({ label, entries }: SubMenuProps) => {
  const { path } = useAddress()
  return (
    <nav aria-label={label}>
      <ul>
        {entries.map(([to, name]) => (
          <li key={to}>
            <Link to={to} current={path === to}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
