import { isLeft } from 'fp-ts/lib/Either.js'
import { type Binding, bindingOf } from '../domain/kernel/group-binding.ts'
import { Away } from '../ports/away.ts'
import { inWords } from '../ports/broker-failure.ts'
import type { BoundPlace, GroupBinding, OwnLog } from '../ports/group-binding.ts'
import type { System } from './system.ts'

export interface BoundGroup {
  readonly group: string
  readonly binding: Binding
  readonly places: readonly BoundPlace[]
}

/** Each processor's group, to which log it is bound as this log sees it. Throws `Away`. */
export const groupBindings = async (
  system: System,
  groups: GroupBinding,
  ownLog: OwnLog,
): Promise<readonly BoundGroup[]> => {
  const { log } = await ownLog.ask()
  const found: BoundGroup[] = []
  for (const { name: group, topics } of system.workflows.flatMap((one) => one.processors(system))) {
    const read = await groups.places(group)()
    if (isLeft(read)) throw new Away(inWords(read.left))
    const places = read.right.filter(({ topic }) => topics.some(({ name }) => name === topic))
    const held = new Set<string>()
    for (const { mark } of places)
      if (mark?.at && mark.log === log && (await ownLog.holds(mark.at))) held.add(mark.at.event)
    const binding = bindingOf(
      log,
      places.map(({ mark }) => mark),
      ({ event }) => held.has(event),
    )
    found.push({ group, binding, places })
  }
  return found
}
