import { Link } from '../../address/use-address.tsx'
import { visible } from '../../parts/name.tsx'
import { plural } from '../../parts/words.ts'
import { folderAt } from './addresses.ts'
import { shapes } from './day-chart.tsx'
import { type Counts, inWords, tones, tonesOf } from './states.ts'
import { treemap } from './treemap.ts'

export interface Section {
  readonly prefix: string
  readonly counts: Counts
}

interface FolderMapProps {
  readonly store: string
  readonly base: string
  /** The largest first. */
  readonly sections: readonly Section[]
}

/** Smaller ones are in the table alone. */
const maxTiles = 60
/** Of the frame in the style. */
const aspect = 2.5

/** Folders in proportion to their items, each filled by the states of those. */
export const FolderMap = ({ store, base, sections }: FolderMapProps) => {
  const shown = sections.slice(0, maxTiles)
  const tiles = treemap(
    shown.map(({ counts }) => counts.expected),
    aspect,
  )
  return (
    <ul class="treemap" aria-label={`Folders below ${visible(base || store)} by the number of their items`}>
      {shown.map((section, i) => {
        const { left, top, width, height } = tiles[i] as (typeof tiles)[number]
        const style = { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }
        return (
          <li key={section.prefix} style={style}>
            <FolderTile store={store} base={base} section={section} />
          </li>
        )
      })}
    </ul>
  )
}

const FolderTile = ({
  store,
  base,
  section: { prefix, counts },
}: Omit<FolderMapProps, 'sections'> & { readonly section: Section }) => {
  const sums = tonesOf(counts)
  const worst = tones.toReversed().find((tone) => sums[tone] > 0) ?? 'unsaid'
  const says = `${plural(counts.expected, 'item')}: ${inWords(counts)}`
  const inside = (
    <>
      <span class="fill" aria-hidden="true">
        {tones.map((tone) =>
          sums[tone] > 0 ? <span key={tone} class={tone} style={{ flexGrow: sums[tone] }} /> : null,
        )}
      </span>
      <span class="label">
        <span aria-hidden="true">{shapes[worst]}</span> <bdi class="name">{nameOf(prefix, base)}</bdi>{' '}
        <small>{says}</small>
      </span>
    </>
  )
  const title = `${nameOf(prefix, base)}, ${says}`
  return prefix === '.' ? (
    <div class="tile" title={title}>
      {inside}
    </div>
  ) : (
    <Link class="tile" to={folderAt(store, prefix)} title={title}>
      {inside}
    </Link>
  )
}

/** Below the folder that is looked at; `.` are the files directly in it. */
export const nameOf = (prefix: string, base: string): string =>
  prefix === '.'
    ? 'files directly here'
    : visible(prefix.startsWith(base) ? prefix.slice(base.length) : prefix)
