import { type Answer, post } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'

type State = Answer<'/api/v1/ingest/jobs/{job}'>['state']

interface JobActsProps {
  readonly job: number
  readonly state: State
  /** It failed for good: there is nothing to go on with. */
  readonly isPermanent?: boolean
}

const isOver: ReadonlySet<State> = new Set(['completed', 'deleted', 'failed', 'held'])
const isGivenUp: ReadonlySet<State> = new Set(['held', 'failed'])

/** What a person may do with a job where it stands. */
export const JobActs = ({ job, state, isPermanent = false }: JobActsProps) => (
  <div class="buttons">
    {state === 'pending' && (
      <Act
        verb="Hold the job"
        says="It is not begun before somebody releases it."
        act={({ key, ...by }) =>
          post('/api/v1/commands/ingest.hold-job', { body: { input: { job }, ...by }, key })
        }
      />
    )}
    {state === 'held' && (
      <Act
        verb="Release the job"
        says="It goes on as pending. Where its collection is on hold still, it is held again."
        act={({ key, ...by }) =>
          post('/api/v1/commands/ingest.release-job', { body: { input: { job }, ...by }, key })
        }
      />
    )}
    {state === 'failed' && (
      <Act
        verb="Resume the job"
        says="Puts it back to work, at the step that it failed in."
        cannot={
          isPermanent ? 'What was handed in is not what was said: it can only be submitted again.' : undefined
        }
        act={({ key, ...by }) =>
          post('/api/v1/commands/ingest.resume-job', { body: { input: { job }, ...by }, key })
        }
      />
    )}
    {!isOver.has(state) && (
      <Act
        verb="Force it to fail"
        says="For a job that hangs: whoever holds it loses it. It can be resumed."
        act={({ key, ...by }) =>
          post('/api/v1/commands/ingest.force-fail', {
            body: { input: { job, confirmed: true }, ...by },
            key,
          })
        }
      />
    )}
    {isGivenUp.has(state) && (
      <Act
        verb="Delete the job"
        says="Gives it up. No report will name it: the depositor is not told."
        act={({ key, ...by }) =>
          post('/api/v1/commands/ingest.delete-job', {
            body: { input: { job, confirmed: true }, ...by },
            key,
          })
        }
      />
    )}
  </div>
)
