import { Link } from '../address/use-address.tsx'

/** Characters that change how what stands around them reads, or that nobody sees: they are written as what they are. */
const hidden = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

export const visible = (text: string): string =>
  text.replace(hidden, (c) =>
    c === '\n' || c === '\t' ? c : `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )

const longest = 120

/** The beginning and the end of what is too long for a line. */
export const shortened = (text: string): string => {
  const letters = [...text]
  return letters.length <= longest
    ? text
    : `${letters.slice(0, 70).join('')} … ${letters.slice(-40).join('')}`
}

interface NameProps {
  readonly text: string
  /** Where it leads. */
  readonly to?: string
  /** All of it, however long. */
  readonly isWhole?: boolean
}

/** Text that comes from elsewhere: anybody may have written it. */
export const Name = ({ text, to, isWhole = false }: NameProps) => {
  const words = visible(isWhole ? text : shortened(text))
  const title = words === text ? {} : { title: visible(text) }
  return to === undefined ? (
    <bdi class="name" {...title}>
      {words}
    </bdi>
  ) : (
    <Link to={to} class="name" {...title}>
      {words}
    </Link>
  )
}
