import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { shareRoom } from './column-widths.ts'
import { GoToRow } from './go-to-row.tsx'
import { type Frame, heightOf, type Place, rowHeight, scrolled, settled } from './scroll-place.ts'
import type { Column } from './table.tsx'
import { count } from './words.ts'

interface LongListProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  /** All rows, or how many there are and those that are known: undefined is a row that is on its way. */
  readonly rows: readonly Row[] | { readonly total: number; readonly at: (i: number) => Row | undefined }
  readonly keyOf: (row: Row) => string
  /** Called with the first row that is drawn. */
  readonly onSeen?: (first: number) => void
  readonly isChosen?: (row: Row) => boolean
}

/** Rows drawn above and below those that are seen. */
const spare = 10
/** Lists of so many rows have a field to go to one of them. */
const manyRows = 1000

/** A table of any length: only the rows that are seen are drawn. Each is one line high. */
export const LongList = <Row,>({ caption, columns, rows, keyOf, onSeen, isChosen }: LongListProps<Row>) => {
  const { total, at } = 'at' in rows && 'total' in rows ? rows : { total: rows.length, at: rowOf(rows) }
  const { frame, place, height, goTo } = useScroll(total)
  const first = Math.max(0, Math.floor(place.top / rowHeight) - spare)
  const end = Math.min(total, first + Math.ceil(height / rowHeight) + 2 * spare)
  useLayoutEffect(() => onSeen?.(first), [first])
  const above = Math.max(0, place.scrollTop - place.top + first * rowHeight)
  const drawn = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i)
  const widths = useWidths(frame, columns)
  return (
    <>
      {total > manyRows && <GoToRow total={total} goTo={goTo} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="long-list" tabIndex={0} aria-label={caption} ref={frame}>
        <table aria-label={caption} aria-rowcount={total + 1}>
          <colgroup>
            {columns.map(({ title }, i) => (
              <col key={title} style={{ width: widths ? `${widths[i]}px` : 'auto' }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ title, isNumber, isBare }) => (
                <th key={title} scope="col" {...(isNumber && { class: 'number' })}>
                  {isBare ? <span class="unseen">{title}</span> : title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Gap pixels={above} />
            {drawn.map((i) => {
              const row = at(i)
              return (
                <tr
                  key={row === undefined ? i : keyOf(row)}
                  aria-rowindex={i + 2}
                  {...(row !== undefined && isChosen?.(row) && { class: 'chosen' })}
                >
                  {row === undefined ? (
                    <td colSpan={columns.length} class="waiting">
                      Row {count(i + 1)} …
                    </td>
                  ) : (
                    columns.map(({ title, cell, isNumber }) => (
                      <td key={title} {...(isNumber && { class: 'number' })}>
                        <div>{cell(row)}</div>
                      </td>
                    ))
                  )}
                </tr>
              )
            })}
            <Gap pixels={heightOf(total) - above - drawn.length * rowHeight} />
          </tbody>
        </table>
      </section>
    </>
  )
}

const rowOf =
  <Row,>(rows: readonly Row[]) =>
  (i: number) =>
    rows[i]

/** Pixels. */
const leastWidth = 96
/** Of a column of boxes. */
const bareWidth = 40

/** Of its columns, by the cells that were drawn so far: they grow while it is scrolled, and never shrink. */
const useWidths = (
  frame: { readonly current: HTMLElement | null },
  columns: readonly Pick<Column<never>, 'isBare'>[],
) => {
  const wanted = useRef<number[]>([])
  const [widths, setWidths] = useState<readonly number[]>()
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    for (const row of element.querySelectorAll('tr[aria-rowindex]'))
      if (row.children.length === columns.length)
        for (const [i, cell] of [...row.children].entries())
          wanted.current[i] = Math.max(wanted.current[i] ?? 0, widthOf(cell))
    const wishes = columns.map(({ isBare }, i) =>
      isBare
        ? { wanted: bareWidth, least: bareWidth }
        : { wanted: wanted.current[i] ?? leastWidth, least: leastWidth },
    )
    const shared = shareRoom(wishes, element.clientWidth)
    if (shared.some((width, i) => Math.abs(width - (widths?.[i] ?? 0)) > 1)) setWidths(shared)
  })
  return widths
}

/** What a cell wants: its text in one line, and the room around it. */
const widthOf = (cell: Element): number => {
  const { paddingLeft, paddingRight } = getComputedStyle(cell)
  const range = document.createRange()
  range.selectNodeContents(cell.firstElementChild ?? cell)
  return (
    Math.ceil(
      range.getBoundingClientRect().width + Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight),
    ) + 1
  )
}

/** What of the list is seen, and a way to a row. */
const useScroll = (total: number) => {
  const frame = useRef<HTMLElement>(null)
  const place = useRef<Place>({ scrollTop: 0, top: 0 })
  const [seen, setSeen] = useState({ place: place.current, height: 40 * rowHeight })
  const show = (element: HTMLElement, shown: Place) => {
    place.current = shown
    setSeen({ place: shown, height: element.clientHeight })
  }
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const look = () => show(element, scrolled(frameOf(element, total), place.current, element.scrollTop))
    const settle = () => {
      // The end of one scroll may be told when the next has begun: that one must not be taken back.
      look()
      const rest = settled(frameOf(element, total), place.current.top)
      if (Math.abs(rest.scrollTop - element.scrollTop) < 1) return
      element.scrollTop = rest.scrollTop
      show(element, { ...rest, scrollTop: element.scrollTop })
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    element.addEventListener('scrollend', settle)
    const resized = new ResizeObserver(look)
    resized.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      element.removeEventListener('scrollend', settle)
      resized.disconnect()
    }
  }, [total])
  const goTo = (row: number) => {
    const element = frame.current
    if (!element) return
    const wanted = settled(frameOf(element, total), row * rowHeight)
    element.scrollTop = wanted.scrollTop
    show(element, { ...wanted, scrollTop: element.scrollTop })
  }
  return { frame, ...seen, goTo }
}

const frameOf = (element: HTMLElement, total: number): Frame => ({
  total,
  range: element.scrollHeight - element.clientHeight,
  height: element.clientHeight,
})

/** The room of rows that are not drawn. */
const Gap = ({ pixels }: { readonly pixels: number }) =>
  pixels > 0 ? <tr style={{ height: `${pixels}px` }} /> : null
