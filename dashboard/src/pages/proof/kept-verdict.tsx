import type { Condition } from '../../parts/condition.ts'
import { State } from '../../parts/state.tsx'
import { count } from '../../parts/words.ts'
import type { CheckedKept, Verdict } from './check-kept.ts'
import { save } from './save.ts'
import { Steps } from './steps.tsx'

interface KeptVerdictProps {
  readonly of: { readonly checked: CheckedKept; readonly kept: string; readonly now: string }
  readonly isTrusted: boolean
}

/** How a kept checkpoint stands to today's head; where two signed heads contradict each other, both can be saved. */
export const KeptVerdict = ({ of: { checked, kept, now }, isTrusted }: KeptVerdictProps) => {
  const { verdict, steps, sizes } = checked
  const { is, words, help } = sentences[verdict]
  const isEvidence = verdict === 'fork' || verdict === 'not continued' || verdict === 'went back'
  return (
    <>
      <p role="status">
        <State is={is} words={words} />{' '}
        {verdict === 'same' && sizes && (
          <span class="why">
            {count(sizes.now)} leaves begin with your {count(sizes.kept)}
          </span>
        )}
      </p>
      <p class={isEvidence ? 'trouble' : undefined} role={isEvidence ? 'alert' : undefined}>
        {help}
      </p>
      {isEvidence && sizes && (
        <>
          <p>Save both heads, each as it was signed: together they are the evidence.</p>
          <p class="buttons">
            <button type="button" onClick={() => save(kept, `kept-${sizes.kept}.checkpoint`)}>
              Save what you kept
            </button>
            <button type="button" onClick={() => save(now, `today-${sizes.now}.checkpoint`)}>
              Save today’s head
            </button>
          </p>
        </>
      )}
      <Steps steps={steps} />
      {verdict === 'same' && (
        <p class="why">
          {!isTrusted && 'The key is the one that this server gave. '}
          The operator of this server served the program that compared them: an outsider takes a mirror or a
          witness of their own.
        </p>
      )}
    </>
  )
}

const sentences: Readonly<Record<Verdict, { is: Condition; words: string; help: string }>> = {
  same: {
    is: 'well',
    words: 'The same history',
    help: 'Today’s signed tree begins with the one that you kept: nothing of it was removed, changed or reordered. Whether the events in the log are still those of the tree is for fonds proof check to find.',
  },
  fork: {
    is: 'wrong',
    words: 'A fork: two histories were signed',
    help: 'The archive’s key signed two different trees of one size. These two heads alone prove it: one of them is of another history.',
  },
  'not continued': {
    is: 'wrong',
    words: 'Today’s tree does not go on from it',
    help: 'Both heads are signed, and this server shows no way from one to the other: what was sealed before was removed, changed or reordered, or the server gave a wrong proof.',
  },
  'went back': {
    is: 'wrong',
    words: 'The tree was larger when you kept it',
    help: 'The archive’s key signed more leaves than it shows today: an older copy was put back, or the newest events were removed.',
  },
  empty: {
    is: 'idle',
    words: 'It says nothing',
    help: 'It is of a tree without leaves: every tree goes on from that. Keep a later one.',
  },
  'another log': {
    is: 'not known',
    words: 'It is of another log',
    help: 'Nothing was compared. A tree that was begun anew has another name; the archive has to tell why.',
  },
  'not signed': {
    is: 'wrong',
    words: 'Not signed by the key that is believed',
    help: 'The trees were not compared: what no believed key signed says nothing about this log. Where the archive’s key was replaced since, its policy names the one before.',
  },
  'not readable': {
    is: 'not known',
    words: 'This is no checkpoint',
    help: 'Nothing was compared. A checkpoint is a signed note as /proof/checkpoint serves it: name of the log, leaves, root, an empty line, and signatures, which begin with a long dash.',
  },
}
