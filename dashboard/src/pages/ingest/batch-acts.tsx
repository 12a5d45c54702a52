import { type Answer, post } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'

type State = Answer<'/api/v1/ingest/batches/{batch}'>['state']

interface BatchActsProps {
  /** Its public id, or its number. */
  readonly batch: string
  readonly state: State
}

const isGivenUp: ReadonlySet<State> = new Set(['held', 'failed'])

/** What a person may do with a batch where it stands. */
export const BatchActs = ({ batch, state }: BatchActsProps) => (
  <div class="buttons">
    {state === 'pending' && (
      <Act
        verb="Hold the batch"
        says="It is not read before somebody releases it."
        act={({ key, ...by }) =>
          post('/api/v1/commands/ingest.hold-batch', { body: { input: { batch }, ...by }, key })
        }
      />
    )}
    {state === 'held' && (
      <Act
        verb="Release the batch"
        says="It goes on as pending, once its collection is not on hold any more."
        act={({ key, ...by }) =>
          post('/api/v1/commands/ingest.release-batch', { body: { input: { batch }, ...by }, key })
        }
      />
    )}
    {state === 'failed' && (
      <Act
        verb="Make a new report"
        says="Says that its troubleshooting has ended: a new report tells the depositor what became of it since."
        act={({ key, ...by }) =>
          post('/api/v1/commands/ingest.update-report', { body: { input: { batch }, ...by }, key })
        }
      />
    )}
    {state === 'completed' && (
      <Act
        verb="Clear it away"
        says="The batch and its jobs go from the lists. What was stored stays."
        act={({ key, ...by }) =>
          post('/api/v1/commands/ingest.sweep-batch', { body: { input: { batch }, ...by }, key })
        }
      />
    )}
    {isGivenUp.has(state) && (
      <Act
        verb="Delete the batch"
        says="Gives it up with all of its jobs. The depositor is not told."
        act={({ key, ...by }) =>
          post('/api/v1/commands/ingest.delete-batch', {
            body: { input: { batch, confirmed: true }, ...by },
            key,
          })
        }
      />
    )}
  </div>
)
