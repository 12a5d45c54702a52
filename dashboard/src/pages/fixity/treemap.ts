/* Rectangles in proportion to weights, as square as can be: squarified treemaps (Bruls, Huizing, van Wijk, 2000). */

/** In hundredths of the whole's width and height. */
export interface Tile {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

interface Room extends Tile {}

/** A tile for each weight, in their order: they must fall, and be above 0. `aspect` is the whole's width by its height. */
export const treemap = (weights: readonly number[], aspect: number): readonly Tile[] => {
  const tiles: Tile[] = []
  let room: Room = { left: 0, top: 0, width: aspect * 100, height: 100 }
  let rest = weights.reduce((sum, weight) => sum + weight, 0)
  for (let from = 0; from < weights.length; ) {
    const scale = (room.width * room.height) / rest
    const row = rowOf(weights, from, scale, Math.min(room.width, room.height))
    const area = row.reduce((sum, each) => sum + each, 0)
    tiles.push(...placed(row, area, room))
    room = without(room, area)
    rest -= area / scale
    from += row.length
  }
  return tiles.map(({ left, top, width, height }) => ({
    left: left / aspect,
    top,
    width: width / aspect,
    height,
  }))
}

/** As many as make the row's worst tile no longer than it was. */
const rowOf = (weights: readonly number[], from: number, scale: number, side: number): readonly number[] => {
  const row: number[] = []
  for (const weight of weights.slice(from)) {
    const longer = [...row, weight * scale]
    if (row.length > 0 && worst(longer, side) > worst(row, side)) break
    row.push(weight * scale)
  }
  return row
}

/** The longest side by the shortest, of the tile where that is most. */
const worst = (areas: readonly number[], side: number): number => {
  const sum = areas.reduce((all, area) => all + area, 0)
  const thick = sum / side
  return Math.max(...areas.map((area) => Math.max(thick / (area / thick), area / thick / thick)))
}

/** A row along the shorter side of the room. */
const placed = (areas: readonly number[], area: number, room: Room): readonly Tile[] => {
  let along = 0
  return areas.map((own) => {
    const isColumn = room.width >= room.height
    const thick = area / (isColumn ? room.height : room.width)
    const long = own / thick
    const start = along
    along += long
    return isColumn
      ? { left: room.left, top: room.top + start, width: thick, height: long }
      : { left: room.left + start, top: room.top, width: long, height: thick }
  })
}

const without = ({ left, top, width, height }: Room, area: number): Room => {
  if (width >= height) {
    const thick = area / height
    return { left: left + thick, top, width: Math.max(0, width - thick), height }
  }
  const thick = area / width
  return { left, top: top + thick, width, height: Math.max(0, height - thick) }
}
