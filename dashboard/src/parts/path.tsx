import { Link } from '../address/use-address.tsx'
import { shortened, visible } from './name.tsx'

interface PathProps {
  readonly text: string
  readonly to?: string
}

/** A path that comes from elsewhere: where room is short it is cut in front of its name, and never in it. */
export const Path = ({ text, to }: PathProps) => {
  const words = visible(text)
  const at = words.lastIndexOf('/', words.length - 2) + 1
  const name = shortened(words.slice(at))
  const inside = (
    <>
      {at > 0 && <span>{words.slice(0, at)}</span>}
      <b>{name}</b>
    </>
  )
  return to === undefined ? (
    <bdi class="path" title={words}>
      {inside}
    </bdi>
  ) : (
    <Link to={to} class="path" title={words} label={words}>
      {inside}
    </Link>
  )
}
