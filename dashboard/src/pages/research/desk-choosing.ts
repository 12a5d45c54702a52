import type { Answer } from '../../api/client.ts'
import type { Choosing, RowAct } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'

/* What can be done with several of what is under way, of those who listen, and of what waits for a person. */

type Lease = Answer<'/api/v1/research/leases'>['leases'][number]
type Researcher = Answer<'/api/v1/research/researchers'>['researchers'][number]
type Parked = Answer<'/api/v1/research/parked'>['parked'][number]

export const leaseChoosing: Choosing<Lease> = {
  nouns: ['lease', 'leases'],
  nameOf: ({ episode, lease }) => `${episode}, lease ${lease}`,
  standsOf: ({ state, researcher }) => (researcher === undefined ? state : `${state} by ${researcher}`),
  acts: [
    commandAct({
      name: 'research.revoke',
      verb: 'Revoke',
      says: 'Ends each lease: its open clips are free at once, what its researcher still reports is kept.',
      input: ({ episode, lease }) => ({ episode, lease }),
    }),
  ],
}

const ofResearcher = ({ researcher }: Researcher) => ({ researcher })

const block: RowAct<Researcher> = commandAct({
  name: 'research.block',
  verb: 'Block',
  says: 'Gives none of them more work; what they report is kept.',
  input: ofResearcher,
  cannot: ({ state }) => (state === 'blocked' ? 'It is blocked already.' : undefined),
})

const unblock: RowAct<Researcher> = commandAct({
  name: 'research.unblock',
  verb: 'Unblock',
  says: 'Gives each work again.',
  input: ofResearcher,
  cannot: ({ state }) => (state === 'blocked' ? undefined : 'It is not blocked.'),
})

export const researcherChoosing: Choosing<Researcher> = {
  nouns: ['researcher', 'researchers'],
  nameOf: ({ researcher }) => researcher,
  // Whether it is busy comes and goes: a person decides by whether it gets work.
  standsOf: ({ state }) => (state === 'blocked' ? 'blocked' : 'not blocked'),
  acts: [
    { ...block, undo: unblock },
    { ...unblock, undo: block },
  ],
}

export const parkedChoosing: Choosing<Parked> = {
  nouns: ['parked one', 'parked ones'],
  nameOf: ({ episode = '', clip = '' }) => [episode, clip].filter((id) => id !== '').join(' × '),
  standsOf: ({ failures, error }) => `${failures} failures, the last: ${error}`,
  acts: [
    commandAct({
      name: 'research.retry',
      verb: 'Try again',
      says: 'Failures are forgotten, and each is handed out again.',
      input: ({ episode, clip }) => (episode !== undefined ? { episode } : { clip }),
    }),
  ],
}
