import type { paths } from '../../api/schema.ts'

type Answered = paths['/readyz']['get']['responses'][200]['content']['application/json']
type Ready = Pick<Answered, 'resting' | 'broken' | 'idle'>

/** A part of the process that does not go on before somebody has acted. */
export interface Stopped {
  /** What it is and does not do, in words that go before the place. */
  readonly says: string
  /** Where it stands, and the page that shows more. */
  readonly place?: { readonly words: string; readonly to: '/log/topics' | '/log/groups' }
  readonly since?: string
  readonly because?: string
}

/** All that `/readyz` tells of the process that answers: it is ready all the same. */
export const stoppedIn = ({ resting, broken, idle }: Ready): readonly Stopped[] => [
  ...resting.map(
    ({ processor, topic, partition, offset, since, because }): Stopped => ({
      says: `${processor} does not come past`,
      place: { words: `${topic}, partition ${partition}, offset ${offset}`, to: '/log/topics' },
      since,
      ...(because !== undefined && { because }),
    }),
  ),
  ...broken.map(
    ({ processor, since, because }): Stopped => ({
      says: `${processor} takes nothing: this process has no member in`,
      place: { words: 'its group', to: '/log/groups' },
      since,
      because,
    }),
  ),
  ...idle.map((says): Stopped => ({ says })),
]
