import type { paths } from '../../api/schema.ts'

/* Where the works of a graph stand: in columns by how many links they are away from the one that is looked at. */

export type Graph =
  paths['/api/v1/matching/graphs/{work}']['get']['responses'][200]['content']['application/json']
export type Work = Graph['nodes'][number]
export type Link = Graph['links'][number]

/** Sizes in rem. */
export const boxWidth = 13
export const columnWidth = 23
const boxHeight = 3.6
const openHeight = 16
const gap = 0.6

export interface Box {
  readonly work: Work
  readonly left: number
  readonly top: number
  readonly height: number
  /** All works that it stands for, itself among them; absent where it stands for itself. */
  readonly alike: readonly string[] | undefined
  readonly isOpen: boolean
  /** Works linked with it that are not drawn. */
  readonly more: number
  /** The links by which it was reached: their reasons stand before it. */
  readonly reachedBy: readonly Link[]
}

export interface Layout {
  readonly boxes: readonly Box[]
  readonly lines: readonly { readonly link: Link; readonly from: Box; readonly to: Box }[]
  readonly width: number
  readonly height: number
}

interface LayoutScope {
  /** Stands first. */
  readonly centre: string
  /** Most boxes. */
  readonly most: number
  /** Works whose neighbours are drawn, however many boxes there are. */
  readonly grown: ReadonlySet<string>
  /** The first of the works that a box stands for, where that box shows them all. */
  readonly open?: string | undefined
}

/** Breadth first from the centre; each work stands beside the first of those that were reached through it. */
export const layoutOf = (
  { nodes, links, alike }: Graph,
  { centre, most, grown, open }: LayoutScope,
): Layout => {
  const standsFor = new Map(alike.map((ids) => [ids[0], ids]))
  const folded = new Set(alike.flatMap(([, ...others]) => others))
  const works = new Map(nodes.filter(({ id }) => !folded.has(id)).map((work) => [work.id, work]))
  const neighbours = neighboursIn(links.filter(({ from, to }) => works.has(from) && works.has(to)))
  const reached = reachedFrom(centre, neighbours, (id, drawn) => drawn < most || grown.has(id))

  const heightOf = (id: string) => (id === open && standsFor.has(id) ? openHeight : boxHeight)
  const boxes = new Map<string, Box>()
  let floor = 0
  const place = (id: string, depth: number): void => {
    const [top, height] = [floor, heightOf(id)]
    for (const child of reached.get(id)?.children ?? []) place(child, depth + 1)
    floor = Math.max(floor, top + height + gap)
    const all = neighbours.get(id) ?? new Map<string, Link[]>()
    const work = works.get(id)
    if (!work) return
    boxes.set(id, {
      work,
      left: depth * columnWidth,
      top,
      height,
      alike: standsFor.get(id),
      isOpen: height === openHeight,
      more: [...all.keys()].filter((other) => !reached.has(other)).length,
      reachedBy: all.get(reached.get(id)?.parent ?? '') ?? [],
    })
  }
  if (works.has(centre)) place(centre, 0)

  return {
    boxes: [...boxes.values()],
    lines: links.flatMap((link) => {
      const [from, to] = [boxes.get(link.from), boxes.get(link.to)]
      return from && to ? [{ link, from, to }] : []
    }),
    width: Math.max(0, ...[...boxes.values()].map(({ left }) => left)) + boxWidth,
    height: Math.max(0, floor - gap),
  }
}

type Neighbours = ReadonlyMap<string, ReadonlyMap<string, readonly Link[]>>

const neighboursIn = (links: readonly Link[]): Neighbours => {
  const neighbours = new Map<string, Map<string, Link[]>>()
  const note = (id: string, other: string, link: Link) => {
    const known = neighbours.get(id) ?? new Map<string, Link[]>()
    neighbours.set(id, known)
    known.set(other, [...(known.get(other) ?? []), link])
  }
  for (const link of links) {
    note(link.from, link.to, link)
    note(link.to, link.from, link)
  }
  return neighbours
}

interface Reached {
  readonly parent: string | undefined
  readonly children: string[]
}

const reachedFrom = (
  centre: string,
  neighbours: Neighbours,
  hasRoom: (id: string, drawn: number) => boolean,
): ReadonlyMap<string, Reached> => {
  const reached = new Map<string, Reached>([[centre, { parent: undefined, children: [] }]])
  for (const [id, { children }] of reached)
    for (const other of neighbours.get(id)?.keys() ?? []) {
      if (reached.has(other) || !hasRoom(id, reached.size)) continue
      children.push(other)
      reached.set(other, { parent: id, children: [] })
    }
  return reached
}
