import { useId, useState } from 'preact/hooks'
import { go } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { visible } from '../../parts/name.tsx'
import { proofAt } from '../../parts/prove.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { Checkpoint } from './checkpoint.tsx'
import { GivenProof } from './given.tsx'
import { save } from './save.ts'
import { standingOf } from './standing.ts'
import { TrustedKey, trustedKey } from './trusted-key.tsx'
import './proof.css'

type Tree = AnswerOf<'/api/v1/proof/tree'>

/** How the log's Merkle tree stands, a way to the proof of an event, and fields for what a person was given or kept. */
const Proofs = () => {
  const [trusted, setTrusted] = useState(trustedKey)
  return (
    <>
      <h1>Proof</h1>
      <Answer of={useAnswer('/api/v1/proof/tree')}>
        {(tree, at) => (
          <>
            <Standing tree={tree} at={at} />
            <Numbers tree={tree} />
            <Differences tree={tree} />
            <div class="proof">
              <div class="gap">
                <ProveOne />
                <GivenProof trusted={trusted} />
                <Witnesses of={tree.witnessed} />
              </div>
              <div class="gap">
                {tree.head && <Checkpoint text={tree.head.checkpoint} />}
                <TrustedKey trusted={trusted} onChange={setTrusted} />
                {tree.head && <Policy text={tree.head.policy} />}
              </div>
            </div>
            <AsOf at={at} />
          </>
        )}
      </Answer>
    </>
  )
}

const Standing = ({ tree, at }: { readonly tree: Tree; readonly at: Date }) => {
  const { is, words, help } = standingOf(tree, at)
  return (
    <>
      <p>
        <State is={is} words={words} />
      </p>
      {[tree.wrong && `${tree.wrong.reason}; ${tree.wrong.help}`, ...tree.unsealed, help]
        .filter((sentence) => typeof sentence === 'string')
        .map((sentence) => (
          <p key={sentence} class="trouble" role="status">
            {visible(sentence)}.
          </p>
        ))}
    </>
  )
}

const Numbers = ({ tree: { head, sealedTo, logHead, witnessed, check } }: { readonly tree: Tree }) => (
  <dl class="stats">
    <div>
      <dt>Sealed up to</dt>
      <dd class="big">{sealedTo === null || sealedTo === '-1' ? '–' : count(sealedTo)}</dd>
      <dd>position in the log, which ends at {count(logHead)}; events about processes are not sealed</dd>
    </div>
    <div>
      <dt>Last head</dt>
      <dd class="big">{head === null ? 'none' : <Time at={head.at} />}</dd>
      <dd>{head !== null && `${count(head.size)} leaves, signed`}</dd>
    </div>
    <div>
      <dt>Seen by</dt>
      <dd class="big">
        {witnessed === null ? 'nobody else' : witnessed.witnesses.filter(({ at }) => at !== null).length}
        {witnessed !== null && <small> of {witnessed.witnesses.length} witnesses</small>}
      </dd>
      <dd>
        {witnessed === null
          ? 'no witness is asked'
          : witnessed.size === null
            ? 'no head yet'
            : `the head of ${count(witnessed.size)} leaves`}
      </dd>
    </div>
    <div>
      <dt>Compared with the log</dt>
      <dd class="big">
        {check === null ? 'not yet' : check.wholeAt === null ? 'in part' : <Time at={check.wholeAt} />}
      </dd>
      <dd>
        {check === null ? (
          'a part each hour'
        ) : (
          <>
            the last part <Time at={check.at} />
          </>
        )}
      </dd>
    </div>
    <div>
      <dt>Differences</dt>
      <dd class="big">{check === null ? '–' : count(check.differences.length)}</dd>
      <dd>{check === null ? 'nothing was compared' : 'that the last comparison found'}</dd>
    </div>
  </dl>
)

const Differences = ({ tree: { check } }: { readonly tree: Tree }) =>
  check === null || check.differences.length === 0 ? null : (
    <section class="panel" aria-labelledby="differences">
      <h2 id="differences">The log is not what was sealed</h2>
      <ul>
        {check.differences.map((one) => (
          <li key={one}>{visible(one)}.</li>
        ))}
      </ul>
      <p>
        <code>fonds proof check</code> names all differences. Compare with a backup, and keep both: what was
        changed is evidence.
      </p>
    </section>
  )

const Witnesses = ({ of }: { readonly of: Tree['witnessed'] }) =>
  of === null ? (
    <section class="panel" aria-labelledby="witnesses">
      <h2 id="witnesses">Witnesses</h2>
      <p>
        Nobody else remembers the heads of this log: whoever has its key could write another history. A
        partner’s witness, or a mirror, would find it; <code>FONDS_PROOF_POLICY</code> names those that are
        asked.
      </p>
    </section>
  ) : (
    <section class="panel" aria-labelledby="witnesses">
      <h2 id="witnesses">
        Witnesses
        <State
          is={of.isQuorum ? 'well' : 'needs somebody'}
          words={of.isQuorum ? 'enough for the policy' : 'not enough for the policy'}
        />
      </h2>
      <Table
        caption="Who cosigned the newest head that was shown to them"
        none="The policy names none."
        rows={of.witnesses}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Witness', cell: ({ name }) => visible(name) },
          {
            title: 'Cosigned, by its own clock',
            cell: ({ at }) => (at === null ? <span class="why">not yet</span> : <Time at={at} />),
          },
        ]}
      />
    </section>
  )

const Policy = ({ text }: { readonly text: string }) => (
  <section class="panel" aria-labelledby="policy">
    <h2 id="policy">Keys, for outsiders</h2>
    <p>
      A proof is as good as the key that is believed: publish the archive’s where you cannot change it later.
      Whoever gets it from here alone has this server’s word for it.
    </p>
    <p class="buttons">
      <button type="button" class="small" onClick={() => save(text, 'archive.policy')}>
        archive.policy
      </button>
      <a href="/proof/checkpoint">/proof/checkpoint</a>
    </p>
  </section>
)

const ProveOne = () => {
  const field = useId()
  return (
    <section class="panel" aria-labelledby={`${field}-title`}>
      <h2 id={`${field}-title`}>Prove an event</h2>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          const asked = String(new FormData(event.currentTarget).get('event')).trim()
          go(/^\d+$/.test(asked) ? proofAt(asked) : `/proofs/event?${new URLSearchParams({ id: asked })}`)
        }}
      >
        <label for={field}>
          Position in the log, or id
          <input id={field} name="event" required />
        </label>
        <button type="submit">Prove</button>
      </form>
      <p class="why">
        Things have a button of their own: an item, a batch, a work, an archive file, an episode.
      </p>
    </section>
  )
}

export default Proofs
