import { Link } from '../../address/use-address.tsx'
import { Name } from '../../parts/name.tsx'
import { State } from '../../parts/state.tsx'
import { plural } from '../../parts/words.ts'
import type { CheckedFile } from './check-file.ts'
import { entryFacts } from './entry-facts.ts'
import { NotChecked } from './not-checked.tsx'
import { Steps } from './steps.tsx'

interface FileVerdictProps {
  readonly of: CheckedFile
  readonly isTrusted: boolean
}

/** How far a proof holds without the event, what it states, and what was not checked. */
export const FileVerdict = ({ of: { steps, isVerified, entry, cosigned }, isTrusted }: FileVerdictProps) => {
  const failed = steps.filter(({ isPassed }) => !isPassed).length
  const event = entry && entryFacts(entry)
  return (
    <>
      <p role="status">
        {isVerified ? (
          <State is="well" words="The entry is in the signed tree" />
        ) : (
          <State is="wrong" words="Does not hold" />
        )}{' '}
        <span class="why">
          {isVerified
            ? `${plural(steps.length, 'check')} in this browser, none of the event’s bytes`
            : `${failed} of ${plural(steps.length, 'check')} failed`}
        </span>
      </p>
      <Steps steps={steps} />
      {isVerified && (
        <>
          <h3>What was sealed</h3>
          {event ? (
            <dl class="facts">
              {event.facts.map(([name, text]) => (
                <>
                  <dt>{name}</dt>
                  <dd>
                    <Name text={text} />
                  </dd>
                </>
              ))}
            </dl>
          ) : (
            <p>The entry is not that of an event (fonds.event/v1): what it states is not shown here.</p>
          )}
          <h3>What this does not show</h3>
          <NotChecked isTrusted={isTrusted} isWitnessed={(cosigned?.seen.length ?? 0) > 0}>
            {event && (
              <li>
                That an event has these bytes: the file holds the SHA-256 of its data and metadata alone.{' '}
                {event.id !== undefined && (
                  <Link to={`/proofs/event?${new URLSearchParams({ id: event.id })}`}>
                    Compare with the event in this log
                  </Link>
                )}
              </li>
            )}
          </NotChecked>
        </>
      )}
    </>
  )
}
