import type { StoredShape, ViewStore } from '../../../src/ports/view-store.ts'
import type { Connection } from './connection.ts'
import type { Foldings } from './foldings.ts'
import type { Registry } from './registry.ts'

type Generations = Pick<ViewStore, 'create' | 'promote' | 'drop' | 'bindTo'>

const withoutHistory = ({ history: _, ...shape }: StoredShape): StoredShape => shape

/** Operations that change the set of generations, each in one transaction. */
export const createGenerations = (
  { write }: Connection,
  registry: Registry,
  foldings: Foldings,
  keepsHistory: boolean,
): Generations => ({
  create: (projection, version, views) =>
    write(() => {
      const others = registry.all().filter((other) => other.projection !== projection)
      for (const other of others)
        for (const { name } of registry.shapes(other.id))
          if (views.some((view) => view.name === name))
            throw new Error(`projections ${other.projection} and ${projection} both have a view ${name}`)
      return registry.insert(projection, version, keepsHistory ? views : views.map(withoutHistory))
    }),

  promote: (generation) =>
    write(() => {
      for (const other of registry.all())
        if (other.projection === generation.projection && other.id !== generation.id) {
          foldings.forget(other.id)
          registry.remove(other)
        }
      registry.setLive(generation)
    }),

  drop: (generation) => {
    foldings.forget(generation.id)
    write(() => registry.remove(generation))
  },

  bindTo: (log, corrections) =>
    write(() => {
      const there = new Set(registry.all().map(({ id }) => id))
      for (const { generation, from, to, isWrong } of corrections) {
        foldings.forget(generation.id)
        // A generation that another process has moved or dropped meanwhile is left to that process.
        if (!there.has(generation.id) || registry.checkpoint(generation).position !== from) continue
        if (isWrong && registry.shapes(generation.id).length > 0) registry.remove(generation)
        else registry.advance(generation, from, to)
      }
      registry.setLog(log)
    }),
})
