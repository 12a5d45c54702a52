import type { Logger } from 'pino'
import type { Component, Family } from '../../domain/matching/graph/component.ts'

/** Passes families on, and warns of each component that is too large to be one work: the first time that it is published. */
export const createSizeWarning = (log: Logger, alarmSize: number) => {
  const warned = new Set<string>()
  const warn = ({ members }: Component): void => {
    const [name] = members[0]!
    const works = members.length
    if (works < alarmSize || warned.has(name)) return
    warned.add(name)
    log.warn(
      { component: name, works },
      'a component is too large to be one work; `fonds matching quality` lists such components',
    )
  }
  return function* (families: Iterable<Family>): Generator<Family> {
    for (const family of families) {
      family.components.forEach(warn)
      yield family
    }
  }
}
