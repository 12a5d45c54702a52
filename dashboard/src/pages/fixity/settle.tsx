import { Act } from '../../parts/act.tsx'
import { Command, giveCommand } from '../../parts/command.tsx'
import { commandLine } from '../../parts/command-line.ts'
import { AssigneeField } from './assignee.tsx'

interface ItemProps {
  readonly store: string
  readonly path: string
}

/** Has one item checked ahead of its turn. */
export const CheckAgain = ({ store, path }: ItemProps) => (
  <Command
    name="fixity.check"
    input={{ store, path }}
    verb="Check again"
    says="Wants this item read and compared now, ahead of its turn."
  />
)

/** Has a check that failed too often tried anew. */
export const Revive = ({ store, path }: ItemProps) => (
  <Command
    name="fixity.revive"
    input={{ store, path }}
    verb="Try again"
    says="Puts the check that failed too often back to work."
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
      <Command
        key={how}
        name="fixity.resolve"
        input={{ store, path, resolution, how }}
        verb={verb}
        says={says}
      />
    ))}
    <Assign store={store} path={path} resolution={resolution} />
  </div>
)

const Assign = ({ store, path, resolution }: ItemProps & { readonly resolution: string }) => (
  <Act
    verb="Give to …"
    says="It is given to that person, who is mailed of it where a mail server is set."
    line={commandLine('fixity.assign', { store, path, resolution, to: '<mail address>' })}
    act={(by, fields) => giveCommand('fixity.assign', { store, path, resolution, to: fields.get('to') }, by)}
  >
    <AssigneeField />
  </Act>
)
