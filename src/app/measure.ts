import { InvalidSetting } from '../async/errors.ts'
import { UnavailableError } from '../async/unavailable.ts'
import { countRows, is, rows } from '../domain/kernel/read-views.ts'
import { millisBetween, SECOND } from '../domain/kernel/time.ts'
import { letters as deadLetters } from '../domain/kernel/views.ts'
import { lastBackup } from './backup/notes.ts'
import { groupPositions, headOf, positionsOf, relayPosition } from './lags.ts'
import { foundDifferences } from './proof/check/found-differences.ts'
import type { System } from './system.ts'

/**
 * Sets the gauges that have to be asked for: lags, ages, tasks that wait for a person. A gauge whose source is away keeps
 * its last value; the others are set all the same.
 */
export const measure = async (system: System): Promise<void> => {
  resting(system)
  for (const part of [messageLags, eventLags, relayLag, letters, tasks, amounts, measures, backups, seals])
    try {
      await part(system)
    } catch (error) {
      if (!(error instanceof UnavailableError || error instanceof InvalidSetting)) throw error
      system.log.warn({ err: error }, 'cannot measure a part; its gauges keep their last values')
    }
}

const resting = ({ partitions, clock, telemetry }: System): void =>
  telemetry.gauges(
    'partition_rests_seconds',
    partitions.resting().map(({ processor, topic, partition, offset, since }) => ({
      labels: { processor, topic, partition: String(partition), offset: String(offset) },
      value: millisBetween(since, clock.now()) / SECOND,
    })),
  )

const messageLags = async (system: System): Promise<void> => {
  const places = Map.groupBy(await groupPositions(system), ({ group }) => group)
  for (const [part, some] of places) {
    const lag = some.reduce((sum, { committed, end }) => sum + end - committed, 0n)
    system.telemetry.gauge('lag', { part }, Number(lag))
    system.telemetry.gauge('group_members', { part }, some[0]?.members ?? 0)
  }
}

const eventLags = async (system: System): Promise<void> => {
  const head = await headOf(system)
  for (const { name: part, position } of await positionsOf(system))
    system.telemetry.gauge('lag', { part }, Math.max(0, Number(head - position)))
}

const relayLag = async (system: System): Promise<void> => {
  const relay = await relayPosition(system)
  if (!relay) return
  const lag = (await headOf(system)) - relay.position
  system.telemetry.gauge('lag', { part: relay.name }, Math.max(0, Number(lag)))
}

const letters = async ({ viewStore, clock, telemetry }: System): Promise<void> => {
  if (!viewStore.shape(deadLetters.name)) return
  const waiting = is('status', 'waiting')
  const [oldest] = rows(viewStore, deadLetters, {
    where: [waiting],
    orderBy: [{ column: 'at' }],
    limit: 1,
  })
  telemetry.gauge('dead_letters_waiting', {}, oldest ? countRows(viewStore, deadLetters, waiting) : 0)
  telemetry.gauge('dead_letter_age_seconds', {}, secondsSince(oldest?.at ?? undefined, clock.now()))
}

const backups = async ({ config, telemetry }: System): Promise<void> => {
  const last = await lastBackup(config.home)
  telemetry.gauge('last_backup_timestamp_seconds', {}, last ? Date.parse(last.at) / SECOND : 0)
}

const seals = async (system: System): Promise<void> =>
  system.telemetry.gauge('sealed_differences', {}, (await foundDifferences(system)).length)

/** 0 where there is nothing. */
const secondsSince = (since: string | undefined, now: string): number =>
  since === undefined ? 0 : Math.max(0, millisBetween(since, now)) / SECOND

const tasks = async (system: System): Promise<void> => {
  for (const workflow of system.workflows)
    for (const { queue, oldest, parked, capacity } of workflow.waiting(system)) {
      const labels = { workflow: workflow.name }
      const age = secondsSince(oldest, system.clock.now())
      system.telemetry.gauge('task_age_seconds', { ...labels, queue }, age)
      system.telemetry.gauge('tasks_parked', labels, parked)
      if (!capacity) continue
      system.telemetry.gauge('tasks_waiting', { ...labels, queue }, capacity.waiting)
      system.telemetry.gauge('workers_present', labels, capacity.workers)
    }
}

const amounts = async (system: System): Promise<void> => {
  const { telemetry } = system
  const counted = system.workflows.flatMap(({ name: workflow, amounts: of }) =>
    of ? [{ workflow, ...of(system) }] : [],
  )
  telemetry.gauges(
    'in_state',
    counted.flatMap(({ workflow, inState }) =>
      inState.map(({ what, state, count }) => ({ labels: { workflow, what, state }, value: count })),
    ),
  )
  for (const { workflow, bytesInProcess, isPaused } of counted) {
    telemetry.gauge('bytes_in_process', { workflow }, bytesInProcess)
    if (isPaused !== undefined) telemetry.gauge('paused', { workflow }, isPaused ? 1 : 0)
  }
}

const measures = async (system: System): Promise<void> => {
  for (const { measures: of } of system.workflows)
    for (const { gauge, values } of (await of?.(system)) ?? []) system.telemetry.gauges(gauge, values)
}
