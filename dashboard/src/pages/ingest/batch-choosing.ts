import type { Answer } from '../../api/client.ts'
import type { Choosing, RowAct } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'
import { nameOf } from './name-of.ts'

export type Batch = Answer<'/api/v1/ingest/batches'>['batches'][number]

const input = ({ batch }: Batch) => ({ batch })

const onlyOf =
  (states: readonly Batch['state'][]) =>
  ({ state }: Batch): string | undefined =>
    states.includes(state) ? undefined : `It is ${state}: only what is ${states.join(' or ')} can be.`

const hold: RowAct<Batch> = commandAct({
  name: 'ingest.hold-batch',
  verb: 'Hold',
  says: 'None of them is read before somebody releases it.',
  input,
  cannot: onlyOf(['pending']),
})

const release: RowAct<Batch> = commandAct({
  name: 'ingest.release-batch',
  verb: 'Release',
  says: 'Each goes on as pending, once its collection is not on hold any more.',
  input,
  cannot: onlyOf(['held']),
})

/** What can be done with batches that are chosen. */
export const batchChoosing: Choosing<Batch> = {
  nouns: ['batch', 'batches'],
  nameOf: ({ number, title, file }) =>
    `${number === null ? 'batch' : `batch ${number}`}, ${title ?? nameOf(file)}`,
  standsOf: ({ state, failed, held }) =>
    `${state}${failed > 0 ? `, ${failed} failed` : ''}${held > 0 ? `, ${held} held` : ''}`,
  acts: [
    { ...hold, undo: release },
    { ...release, undo: hold },
    commandAct({
      name: 'ingest.resume-batch',
      verb: 'Read again',
      says: 'Has the payload of each read again, where it failed before it had jobs.',
      input,
      cannot: (batch) =>
        onlyOf(['failed'])(batch) ??
        (batch.jobs > 0 ? 'It has jobs: they are resumed, not the batch.' : undefined),
    }),
    commandAct({
      name: 'ingest.update-report',
      verb: 'Make new reports',
      says: 'Says that their troubleshooting has ended: a new report tells each depositor what became of it since.',
      input,
      cannot: onlyOf(['failed']),
    }),
    commandAct({
      name: 'ingest.sweep-batch',
      verb: 'Clear away',
      says: 'The batches and their jobs go from the lists. What was stored stays. It cannot be taken back.',
      input,
      cannot: onlyOf(['completed']),
    }),
    commandAct({
      name: 'ingest.delete-batch',
      verb: 'Delete',
      says: 'Gives each up with all of its jobs. The depositors are not told. It cannot be taken back.',
      input: ({ batch }) => ({ batch, confirmed: true }),
      cannot: onlyOf(['held', 'failed']),
    }),
  ],
}
