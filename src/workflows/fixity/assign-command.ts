import { isLeft, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { decider } from '../../domain/fixity/decide.ts'
import { itemStream, Path, StoreName } from '../../domain/fixity/item.ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { isMailAddress, isReference } from '../../domain/kernel/person.ts'
import { resolveFinding } from '../../processors/fixity/resolve-finding.ts'
import { routeTo } from '../../processors/runtime/route.ts'
import { referenceTo } from '../persons.ts'
import type { SystemCommand } from '../workflow.ts'

const nobody = 'nobody'

const Assignee = annotate(
  t.refinement(
    Text,
    (s) => s === nobody || isMailAddress(s) || isReference(s),
    'mail address, reference of a person, or nobody',
  ),
  { description: 'Mail address of the person, or the reference; or `nobody`.' },
)

const ToAssign = t.intersection([
  t.type({ path: Path, to: Assignee }),
  t.partial({ store: StoreName, resolution: Text }),
])
type ToAssign = t.TypeOf<typeof ToAssign>

/** The process that takes the command replaces a mail address by the reference of the person: the log has no address. */
export const assignCommand: SystemCommand = {
  name: 'fixity.assign',
  description:
    'Gives an open finding to a person, who is mailed of it, or to nobody any more. The path is enough where one finding about it is open.',
  codec: ToAssign,
  example: { store: 'main', path: 'letters/1912/03.tif', to: 'ada@archive.example' },
  resolve: (input: ToAssign) => resolveFinding(input),
  carryOut: async (input: ToAssign, context) => {
    if (input.to === nobody) return right(input)
    const reference = await referenceTo(context, input.to)
    return isLeft(reference) ? reference : right({ ...input, to: reference.right })
  },
  route: ({ store = '', path, resolution = '', to }: ToAssign, by) => {
    const item = { store, path }
    const person = to === nobody ? undefined : to
    return routeTo(decider, itemStream(item), {
      ...({ type: 'AssignResolution', item, resolution, to: person } as const),
      ...by,
    })
  },
}
