import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { Name, visible } from '../../parts/name.tsx'
import { plural } from '../../parts/words.ts'
import { graphAt } from './addresses.ts'
import { type Box, boxWidth, columnWidth, type Graph, type Layout, layoutOf } from './layout.ts'
import { bridgesOf, isShownAs } from './words.ts'

interface DrawingProps {
  readonly graph: Graph
  readonly centre: string
}

/** Boxes drawn unless asked for more: of more, nobody could read the titles. */
export const boxesAtFirst = 24

/** The graph around one work. Whatever it draws stands in the lists below it, too. */
export const Drawing = ({ graph, centre }: DrawingProps) => {
  const { query } = useAddress()
  const most = Number(query.get('drawn')) || boxesAtFirst
  const layout = layoutOf(graph, {
    centre,
    most,
    grown: new Set(query.getAll('grown')),
    open: query.get('open') ?? undefined,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="graph" tabIndex={0} aria-label={`The graph around ${visible(centre)}`}>
      <div style={{ width: rem(layout.width), height: rem(layout.height) }}>
        <Lines layout={layout} isBridge={bridgesOf(graph)} />
        <ul>
          {layout.boxes.map((box) => (
            <WorkBox key={box.work.id} box={box} graph={graph} isCentre={box.work.id === centre} />
          ))}
        </ul>
      </div>
    </section>
  )
}

const rem = (n: number): string => `${n}rem`

interface LinesProps {
  readonly layout: Layout
  readonly isBridge: ReturnType<typeof bridgesOf>
}

const Lines = ({ layout: { lines, width, height }, isBridge }: LinesProps) => (
  <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
    <defs>
      <marker
        id="arrow"
        viewBox="0 0 8 8"
        refX="8"
        refY="4"
        markerUnits="userSpaceOnUse"
        markerWidth="0.7"
        markerHeight="0.7"
        orient="auto"
      >
        <path d="M0 0 L8 4 L0 8 z" />
      </marker>
    </defs>
    {lines.map(({ link, from, to }) => (
      <path
        key={`${link.from} ${link.to}`}
        class={link.active ? (isBridge(link) ? 'bridge' : 'link') : 'idle'}
        d={curve(from, to)}
        marker-end="url(#arrow)"
      >
        <title>{visible(`${link.from} → ${link.to}: ${link.reasons.join(', ')}`)}</title>
      </path>
    ))}
  </svg>
)

/** From side to side where they stand in two columns, around the right of both where they stand in one. */
const curve = (from: Box, to: Box): string => {
  const [y1, y2] = [from.top + from.height / 2, to.top + to.height / 2]
  const isLeft = from.left < to.left
  const x1 = isLeft || from.left === to.left ? from.left + boxWidth : from.left
  const x2 = isLeft ? to.left : to.left + boxWidth
  const bend = from.left === to.left ? [x1 + 4, x2 + 4] : [(x1 + x2) / 2, (x1 + x2) / 2]
  return `M${x1} ${y1} C${bend[0]} ${y1} ${bend[1]} ${y2} ${x2} ${y2}`
}

interface WorkBoxProps {
  readonly box: Box
  readonly graph: Graph
  readonly isCentre: boolean
}

const WorkBox = ({ box, graph: { target, nodes }, isCentre }: WorkBoxProps) => {
  const address = useAddress()
  const { work, left, top, height, alike, isOpen, more, reachedBy } = box
  const isSelected = address.query.get('with') === work.id
  const reasons = [...new Set(reachedBy.flatMap(({ reasons }) => reasons))].join(', ')
  const looks = work.id === target ? 'target' : work.state
  return (
    <li
      class={['box', looks, isCentre && 'centre', isSelected && 'selected'].filter(Boolean).join(' ')}
      style={{ left: rem(left), top: rem(top), width: rem(boxWidth), height: rem(height) }}
    >
      {reasons !== '' && (
        <span class="reason" style={{ maxWidth: rem(columnWidth - boxWidth - 2) }} title={visible(reasons)}>
          <bdi>{visible(reasons)}</bdi>
        </span>
      )}
      {alike ? (
        <>
          <strong>
            {plural(alike.length, 'work')} of {work.source ? <Name text={work.source} /> : 'no source'}
          </strong>
          <Link to={changed(address, { open: isOpen ? undefined : work.id })}>
            {isOpen ? 'Fold' : 'Show them'}
          </Link>
          {isOpen ? (
            <Alike works={nodes.filter(({ id }) => alike.includes(id))} />
          ) : (
            <small>{isShownAs(work, target)}</small>
          )}
        </>
      ) : (
        <>
          <Link
            to={
              isCentre
                ? graphAt(work.id)
                : changed(address, { with: work.id, from: undefined, to: undefined })
            }
            class="name"
            title={visible(work.title ?? work.id)}
            current={isCentre}
          >
            {visible(work.title ?? work.id)}
          </Link>
          <small>
            {work.title !== null && <bdi class="name">{visible(work.id)}</bdi>} {isShownAs(work, target)}
          </small>
          <Grow id={work.id} more={more} />
        </>
      )}
    </li>
  )
}

/** Draws the neighbours of a work that are not drawn, or takes them away again. */
const Grow = ({ id, more }: { readonly id: string; readonly more: number }) => {
  const address = useAddress()
  const grown = address.query.getAll('grown')
  if (grown.includes(id))
    return <Link to={changed(address, { grown: grown.filter((one) => one !== id) })}>Fold</Link>
  return more > 0 ? (
    <Link to={changed(address, { grown: [...grown, id] })}>Show {plural(more, 'neighbour')}</Link>
  ) : null
}

const Alike = ({ works }: { readonly works: Graph['nodes'] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  <section class="alike" tabIndex={0} aria-label="Works that are alike">
    <ul>
      {works.map(({ id, title }) => (
        <li key={id}>
          <Name text={title ?? id} to={graphAt(id)} />
        </li>
      ))}
    </ul>
  </section>
)
