import { Link } from '../../address/use-address.tsx'
import { post } from '../../api/client.ts'
import { Act, type By } from '../../parts/act.tsx'
import { Actor } from '../../parts/actor.tsx'
import { Name } from '../../parts/name.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { count, plural } from '../../parts/words.ts'
import { streamAt } from './event-list.tsx'
import { isUnderWay, type Projection } from './use-projections.ts'

type Rebuild = NonNullable<Projection['rebuild']>

const underWay: Readonly<Record<string, string>> = {
  folding: 'is folded from the log',
  comparing: 'is compared with the live views, row for row',
  overtaking: 'catches up, to take the place of the live views',
}

interface OfProjection {
  readonly of: Projection
}

/** How far it is, and what came of the last time. */
export const FoldedAnew = ({ of, head }: OfProjection & { readonly head: string }) => {
  const { rebuild, rebuilding } = of
  if (rebuild && isUnderWay(of))
    return (
      <label>
        {underWay[rebuild.state] ?? rebuild.state}: {plural(rebuild.events, 'event')}
        <progress max={Number(rebuild.end) + 1} value={Number(rebuild.position) + 1} />
      </label>
    )
  if (rebuilding)
    return (
      <label>
        version {rebuilding.version}, at {count(rebuilding.position)}: by another process, or left behind by
        one
        <progress max={Number(head) + 1} value={Number(rebuilding.position) + 1} />
      </label>
    )
  return rebuild ? (
    <Ended rebuild={rebuild} projection={of.projection} />
  ) : (
    <span class="why">not since this process began</span>
  )
}

interface EndedProps {
  readonly rebuild: Rebuild
  readonly projection: string
}

const Ended = ({ rebuild, projection }: EndedProps) => {
  const { state, actor, endedAt, differences, error } = rebuild
  return (
    <>
      {state === 'replaced' && <State is="well" words={replacedWords(differences)} />}
      {state === 'different' && (
        <State is="needs somebody" words="rows differ from the log: the live views stay" />
      )}
      {state === 'failed' && <State is="stopped" words={`failed: ${error ?? 'no reason is known'}`} />}
      {state === 'stopped' && <State is="idle" words="stopped: the live views stay" />}{' '}
      <small>
        <Time at={endedAt ?? ''} />, for <Actor text={actor} />.{' '}
        <Link to={streamAt(`projection-${projection}`)}>Each time, with who and why</Link>
      </small>
      {differences !== null && differences.length > 0 && <Differences differences={differences} />}
    </>
  )
}

const replacedWords = (differences: Rebuild['differences']): string => {
  if (differences === null) return 'folded anew, not compared'
  return differences.length === 0 ? 'equal row for row, and folded anew' : 'put right by the log'
}

const Differences = ({ differences }: { readonly differences: NonNullable<Rebuild['differences']> }) => (
  <details>
    <summary>What differs</summary>
    <ul>
      {differences.map(({ view, rows, onlyLive, onlyRebuilt }) => (
        <li key={view}>
          {view}: {plural(rows, 'row')}, such as
          {onlyLive.map((row, i) => (
            <p key={i}>
              live: <Name text={JSON.stringify(row)} />
            </p>
          ))}
          {onlyRebuilt.map((row, i) => (
            <p key={i}>
              by the log: <Name text={JSON.stringify(row)} />
            </p>
          ))}
        </li>
      ))}
    </ul>
  </details>
)

const needs = { permission: 'administer' } as const

interface RebuildActsProps extends OfProjection {
  /** The one that is under way. */
  readonly underWay: string | undefined
  readonly onAct: () => void
}

export const RebuildActs = ({ of, underWay, onAct }: RebuildActsProps) => {
  const { projection, rebuild, rebuilding } = of
  const start = (wish: { readonly verify: boolean; readonly promote: boolean }) => async (by: By) => {
    const { actor, reason } = by
    const path = { projection }
    await post('/api/v1/projections/{projection}/rebuild', { path, body: { ...wish, actor, reason } })
    onAct()
    return { outcome: 'begun' }
  }
  const stop = async ({ actor, reason }: By) => {
    const path = { projection }
    await post('/api/v1/projections/{projection}/rebuild/stop', { path, body: { actor, reason } })
    onAct()
    return { outcome: 'stopped' }
  }
  if (isUnderWay(of))
    return (
      <Act
        verb="Stop it"
        says="What was folded anew is dropped; the live views stay."
        needs={needs}
        act={stop}
      />
    )
  const cannot = underWay === undefined ? undefined : `${underWay} is folded anew now.`
  return (
    <div class="buttons">
      <Act
        verb="Prove it"
        says="Folds the views from the log, and compares them row for row with the live ones. Equal ones take their place; where rows differ, the live ones stay and the rows are told."
        cannot={cannot}
        needs={needs}
        act={start({ verify: true, promote: false })}
      />
      {rebuild?.state === 'different' && (
        <Act
          verb="Put it right"
          says="Folds the views from the log once more, and puts them in place of the live ones, though rows differ: the log is the truth."
          cannot={cannot}
          needs={needs}
          act={start({ verify: true, promote: true })}
        />
      )}
      {rebuilding && (
        <Act
          verb="Drop it"
          says="Drops what is folded anew; the live views stay. A process that still folds it says so, and begins again where it must."
          needs={needs}
          act={stop}
        />
      )}
    </div>
  )
}
