import { useState } from 'preact/hooks'
import { Link, useAddress } from '../../address/use-address.tsx'
import { Json } from '../../parts/json.tsx'
import { Name } from '../../parts/name.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { count, plural } from '../../parts/words.ts'
import { Checkpoint } from './checkpoint.tsx'
import { NotChecked } from './not-checked.tsx'
import { Outsiders } from './outsiders.tsx'
import type { ProofAnswer } from './proof-answer.ts'
import { save } from './save.ts'
import { Steps } from './steps.tsx'
import { TrustedKey, trustedKey } from './trusted-key.tsx'
import { type Outcome, useCheck } from './use-check.ts'
import { WayPicture } from './way.tsx'
import './proof.css'

/** The proof of one event, checked in this browser; `?position=…&id=…`. */
const EventProof = () => {
  const { query } = useAddress()
  const [position, id] = [query.get('position') ?? undefined, query.get('id') ?? undefined]
  const [trusted, setTrusted] = useState(trustedKey)
  const { outcome, again } = useCheck({ position, id }, trusted)
  const name =
    position === undefined
      ? `Event ${id ?? ''}`
      : `Event ${/^\d+$/.test(position) ? count(position) : position}`
  const answer = 'answer' in outcome ? outcome.answer : undefined
  return (
    <>
      <div class="head">
        <div>
          <h1>
            <Name text={name} />
            {isVerified(outcome) && ' is as it was sealed'}
          </h1>
          <Verdict of={outcome} />
        </div>
        <div class="buttons">
          <button type="button" onClick={again} disabled={outcome.kind === 'asking'}>
            Verify again
          </button>
          {answer && (
            <button type="button" onClick={() => save(answer.proof, answer.file)}>
              Proof file
            </button>
          )}
          <Link to="/proofs" class="button">
            The tree
          </Link>
        </div>
      </div>
      {outcome.kind === 'asking' && <Waiting />}
      {outcome.kind === 'refused' && <Trouble problem={outcome.problem} />}
      {outcome.kind === 'unchecked' && (
        <p class="of-now">{outcome.why} The proof file can be checked elsewhere.</p>
      )}
      <div class="proof">
        {outcome.kind === 'checked' && (
          <div class="gap">
            {outcome.checked.way && (
              <section class="panel" aria-labelledby="way">
                <h2 id="way">From the event to the signed root</h2>
                <WayPicture way={outcome.checked.way} isSigned={outcome.checked.isVerified} />
                <p class="why">
                  Whole lines are computed here; dashed boxes were brought along by the proof.
                </p>
              </section>
            )}
            <section class="panel" aria-label="Checks">
              <Steps steps={outcome.checked.steps} />
            </section>
            <section class="panel" aria-labelledby="unchecked">
              <h2 id="unchecked">What this does not show</h2>
              <NotChecked
                isTrusted={trusted !== undefined}
                isWitnessed={(outcome.checked.cosigned?.seen.length ?? 0) > 0}
              />
            </section>
          </div>
        )}
        {answer && (
          <div class="gap">
            <Outsiders file={answer.file} isChecked={outcome.kind === 'checked'} />
            <TrustedKey trusted={trusted} onChange={setTrusted} />
            <Checkpoint text={checkpointIn(answer.proof)} />
          </div>
        )}
      </div>
      {answer && <Bytes answer={answer} />}
    </>
  )
}

const isVerified = (outcome: Outcome): boolean => outcome.kind === 'checked' && outcome.checked.isVerified

const Verdict = ({ of: outcome }: { readonly of: Outcome }) => {
  switch (outcome.kind) {
    case 'asking':
      return <State is="under way" words="Asking for the proof" />
    case 'refused':
      if (outcome.problem.code === 'not-sealed')
        return <State is="under way" words="Waits to be sealed; asked again by itself" />
      return outcome.problem.code === 'inserted' || outcome.problem.code === 'tree-damaged' ? (
        <State is="wrong" words="There is no proof, and there should be one" />
      ) : (
        <State is="idle" words="There is no proof of it" />
      )
    case 'unchecked':
      return <State is="not known" words="Not checked here" />
    case 'checked': {
      const { steps } = outcome.checked
      const failed = steps.filter(({ isPassed }) => !isPassed)
      return outcome.checked.isVerified ? (
        <p>
          <State is="well" words="Verified in this browser" />{' '}
          <span class="why">
            {plural(steps.length, 'check')}, {Math.max(1, Math.round(outcome.millis))} ms
          </span>
        </p>
      ) : (
        <p>
          <State is="wrong" words="Does not hold" />{' '}
          <span class="why">
            {failed.length} of {plural(steps.length, 'check')} failed. Ask <code>fonds proof check</code> for
            all differences, and compare with a backup.
          </span>
        </p>
      )
    }
  }
}

/** What was hashed, so that what is shown is what was checked. */
const Bytes = ({ answer: { event } }: { readonly answer: ProofAnswer }) =>
  event === null ? (
    <p class="of-now">The log does not hold the event any more: its entry is all that is left.</p>
  ) : (
    <>
      <h2>The event, byte for byte</h2>
      <dl class="facts">
        <dt>Type</dt>
        <dd>
          <Name text={event.type} />
        </dd>
        <dt>Stream</dt>
        <dd>
          <Name text={event.stream} isWhole />, revision {event.revision}
        </dd>
        <dt>Taken at</dt>
        <dd>
          <Time at={event.recordedAt} form="whole" />
        </dd>
        <dt>Position</dt>
        <dd>
          <Link to={`/log/events/${event.position}`}>{count(event.position)}</Link>, which no entry holds
        </dd>
        <dt>Id</dt>
        <dd>
          <code>
            <Name text={event.id} />
          </code>
        </dd>
      </dl>
      {hasReference(event) && (
        <p class="why">
          A text <code>personal:…</code> stands for a value that is kept beside the log: the proof is of this
          text, and holds when the value was erased.
        </p>
      )}
      <Json value={shown(event.data)} says="Data" />
      <Json value={shown(event.metadata)} says="Metadata, as they were first written" />
    </>
  )

const hasReference = ({ data, metadata }: NonNullable<ProofAnswer['event']>): boolean =>
  [data, metadata].some((bytes) => shown(bytes).includes('"personal:'))

const shown = (bytes: NonNullable<ProofAnswer['event']>['data']): string =>
  typeof bytes === 'string' ? bytes : `base64: ${bytes.base64}`

const checkpointIn = (proof: string): string => proof.slice(proof.indexOf('\n\n') + 2)

export default EventProof
