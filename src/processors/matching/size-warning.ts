import type { Logger } from 'pino'
import type { Component } from '../../domain/matching/graph/component.ts'

/** Passes components on, and warns of each that is too large to be one work: the first time that it is published. */
export const createSizeWarning = (log: Logger, alarmSize: number) => {
  const warned = new Set<string>()
  return function* (components: Iterable<Component>): Generator<Component> {
    for (const component of components) {
      const [name] = component.members[0]!
      const works = component.members.length
      if (works >= alarmSize && !warned.has(name)) {
        warned.add(name)
        log.warn(
          { component: name, works },
          'a component is too large to be one work; `fonds matching quality` lists such',
        )
      }
      yield component
    }
  }
}
