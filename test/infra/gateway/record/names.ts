import { v4 } from 'uuid'

/** `x × 4000` in the record is 4,000 times x. */
export const written = (name: string): string => name.replace(/x × (\d+)/g, (_, count) => 'x'.repeat(count))
export const shortened = (text: string): string => text.replace(/x{1000,}/g, (run) => `x × ${run.length}`)

/** Ids and positions of a scenario's events, which the record knows by the events' names. */
export const createNames = () => {
  const ids = new Map<string, string>()
  const names = new Map<string, string>()
  const positions = new Map<string, string>()
  const at = new Map<string, string>()

  return {
    idOf: (name: string): string => {
      const id = ids.get(name) ?? v4()
      ids.set(name, id)
      names.set(id, name)
      return id
    },
    /** `id` for one that the server has made. */
    nameOf: (id: string): string => names.get(id) ?? 'id',
    place: (name: string, position: string): void => {
      positions.set(name, position)
      at.set(position, name)
    },
    positionOf: (name: string): string => {
      const position = positions.get(name)
      if (position === undefined) throw new Error(`the position of ${name} was not read before it was used`)
      return position
    },
    eventAt: (position: string): string => {
      if (position === '18446744073709551615') return 'END'
      const name = at.get(position)
      return name === undefined ? 'some position' : `P(${name})`
    },
  }
}

export type Names = ReturnType<typeof createNames>
