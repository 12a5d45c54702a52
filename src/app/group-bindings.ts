import { orThrow } from '../async/unavailable.ts'
import { type Binding, bindingOf } from '../domain/kernel/group-binding.ts'
import type { BoundPlace, GroupBinding, OwnLog } from '../ports/group-binding.ts'
import { groupOf } from '../processors/runtime/processor.ts'
import type { System } from './system.ts'

interface BoundGroup {
  readonly group: string
  readonly formerGroup?: string
  readonly binding: Binding
  readonly places: readonly BoundPlace[]
}

/** To which log each processor's group is bound, as this log can tell. Throws `UnavailableError`. */
export const groupBindings = async (
  system: System,
  groups: GroupBinding,
  ownLog: OwnLog,
): Promise<readonly BoundGroup[]> => {
  const { log } = await ownLog.ask()
  const found: BoundGroup[] = []
  for (const processor of system.workflows.flatMap((one) => one.processors(system))) {
    const { group, formerGroup } = groupOf(processor)
    const places = (await orThrow(groups.places(group, formerGroup))).filter(({ topic }) =>
      processor.topics.some(({ name }) => name === topic),
    )
    const held = new Set<string>()
    for (const { mark } of places)
      if (mark?.at && mark.log === log && (await ownLog.holds(mark.at))) held.add(mark.at.event)
    const binding = bindingOf(
      log,
      places.map(({ mark }) => mark),
      ({ event }) => held.has(event),
    )
    found.push({ ...groupOf(processor), binding, places })
  }
  return found
}
