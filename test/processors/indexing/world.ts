import { onTestFinished } from 'vitest'
import type { IndexingCommand } from '#src/domain/indexing/commands.ts'
import { decider } from '#src/domain/indexing/decide.ts'
import { type ArchiveFile, fileStream } from '#src/domain/indexing/file.ts'
import { files } from '#src/domain/indexing/views.ts'
import { is, row } from '#src/domain/kernel/read-views.ts'
import { indexing } from '#src/projections/indexing/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { policy } from '../../domain/indexing/commands.ts'
import { openTestViews } from '../../fakes/views.ts'
import { deciding } from '../deciding.ts'

/** The smallest world in which indexing's processors live: a log, views that are folded when a test says so, a clock. */
export const indexingWorld = () => {
  const world = deciding('2026-01-31T12:00:00.000Z')
  const { clock, eventStore, run, eventsOf } = world
  const viewStore = openTestViews()
  onTestFinished(() => viewStore.close())

  const on = (file: ArchiveFile, command: object) =>
    run({
      decider,
      stream: fileStream(file),
      command: { file, at: clock.now(), actor: 'ada', ...command } as IndexingCommand,
    } as never)

  return {
    ...world,
    viewStore,
    policy,
    /** A command on a file, decided now. */
    on,
    /** Sighted, last changed so many minutes before the first moment. */
    sight: (name: string, minutesAgo = 60, more: object = {}) =>
      on(named(name), {
        type: 'Sight',
        place: {
          location: `/srv/${name}`,
          size: 1,
          modifiedAt: new Date(Date.parse('2026-01-31T12:00:00.000Z') - minutesAgo * 60_000).toISOString(),
        },
        policy,
        ...more,
      }),
    /** Brings the views up to the end of the log. */
    fold: () => catchUp({ eventStore, viewStore, projections: [indexing] }),
    typesOf: async (name: string) => (await eventsOf(fileStream(named(name)))).map(({ type }) => type),
    row: (name: string) => row(viewStore, files, is('repository', 'main'), is('name', name)),
  }
}

export type IndexingWorld = ReturnType<typeof indexingWorld>

export const named = (name: string): ArchiveFile => ({ repository: 'main', name })
