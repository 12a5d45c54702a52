import { isLeft } from 'fp-ts/lib/Either.js'
import { millisBetween, SECOND } from '../domain/kernel/time.ts'
import { projectionsOf, type System } from './system.ts'

/** Brings the gauges that nothing keeps up to date by itself to the present: lags, ages, what waits for a person. */
export const measure = async (system: System): Promise<void> => {
  await measureLags(system)
  for (const workflow of system.workflows)
    for (const { queue, oldest, parked } of workflow.waiting(system)) {
      const labels = { workflow: workflow.name }
      const age = oldest ? Math.max(0, millisBetween(oldest, system.clock.now())) / SECOND : 0
      system.telemetry.gauge('task_age_seconds', { ...labels, queue }, age)
      system.telemetry.gauge('tasks_parked', labels, parked)
    }
}

const measureLags = async (system: System): Promise<void> => {
  const { broker, eventStore, viewStore, telemetry, workflows } = system
  const groups = await broker.groups()()
  if (!isLeft(groups))
    for (const { group, partitions } of groups.right) {
      const lag = partitions.reduce((sum, one) => sum + one.lag, 0n)
      telemetry.gauge('lag', { part: group }, Number(lag))
    }
  const head = await eventStore.head()()
  if (isLeft(head)) return
  const parts = [...projectionsOf(workflows), ...workflows.flatMap((workflow) => workflow.reactions(system))]
  for (const { name } of parts) {
    const live = viewStore.live(name)
    const position = live ? viewStore.checkpoint(live).position : -1n
    telemetry.gauge('lag', { part: name }, Number(head.right - position))
  }
}
