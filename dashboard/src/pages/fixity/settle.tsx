import { post } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'

interface ItemProps {
  readonly store: string
  readonly path: string
}

/** Has one item checked ahead of its turn. */
export const CheckAgain = ({ store, path }: ItemProps) => (
  <Act
    verb="Check again"
    says="Wants this item read and compared now, ahead of its turn."
    act={({ key, ...by }) =>
      post('/api/v1/commands/fixity.check', { body: { input: { store, path }, ...by }, key })
    }
  />
)

/** Has a check that failed too often tried anew. */
export const Revive = ({ store, path }: ItemProps) => (
  <Act
    verb="Try again"
    says="Puts the check that failed too often back to work."
    act={({ key, ...by }) =>
      post('/api/v1/commands/fixity.revive', { body: { input: { store, path }, ...by }, key })
    }
  />
)

/** How a finding may end: the command's word, the button's, and what it does. */
export const settlements = [
  [
    'repaired',
    'Repaired',
    'Says that the content is whole again. It is read again at once: if it is as before, that is a new finding.',
  ],
  [
    'accepted',
    'Accept',
    'Says that what was found may stay. The same again is no new finding; any other is.',
  ],
  [
    'lost',
    'Lost',
    'Says that the content cannot be had any more. It stays expected, is counted as lost, and is not checked any more.',
  ],
] as const

/** How a finding may end; each asks who says so, and why. */
export const Settle = ({ store, path, resolution }: ItemProps & { readonly resolution: string }) => (
  <div class="buttons">
    <CheckAgain store={store} path={path} />
    {settlements.map(([how, verb, says]) => (
      <Act
        key={how}
        verb={verb}
        says={says}
        act={({ key, ...by }) =>
          post('/api/v1/commands/fixity.resolve', {
            body: { input: { store, path, resolution, how }, ...by },
            key,
          })
        }
      />
    ))}
  </div>
)
