import { left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { orThrow } from '../../async/unavailable.ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { idOf } from '../../domain/kernel/event.ts'
import { personDecider, personStream } from '../../domain/kernel/people.ts'
import { addressIn, isMailAddress, isReference, type Reference } from '../../domain/kernel/person.ts'
import type { ShortForm } from '../../processors/runtime/operator-command.ts'
import { routeTo } from '../../processors/runtime/route.ts'
import { newReference } from '../persons.ts'
import type { SystemCommand } from '../workflow.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { forgetBefore } from './forget-by-log.ts'

const isNamed = (text: string): boolean => isMailAddress(text) || isReference(text)

const MailAddress = annotate(t.refinement(Text, isMailAddress, 'mail address (ada@archive.example)'), {
  description: 'Mail address.',
})
const PersonReference = annotate(
  t.refinement(
    Text,
    (text) => isReference(text) && addressIn(text) === undefined,
    'reference (<issuer>#<sub>; `fonds people list` shows them)',
  ),
  { description: 'A reference that the log has already.' },
)

const ToAdd = t.intersection([
  t.type({ mail: MailAddress }),
  t.partial({ name: Text, reference: PersonReference }),
])
type ToAdd = t.TypeOf<typeof ToAdd>

const ToForget = t.type({
  person: annotate(t.refinement(Text, isNamed, 'mail address or reference of a person'), {
    description: 'Mail address or reference.',
  }),
})
type ToForget = t.TypeOf<typeof ToForget>

const short = <Input>(form: ShortForm<Input>) => form as unknown as ShortForm<unknown>

/** Name and address go to the file of the home that takes the command; the event has the reference alone. */
export const addPerson: SystemCommand = {
  name: 'people.add',
  // An address that is changed leads the mails of somebody else elsewhere.
  permission: 'administer',
  description:
    'Enters a person by hand, or another name and address under a known reference. They are kept in this home, outside of the log.',
  codec: ToAdd,
  example: { mail: 'ada@archive.example', name: 'Ada Brandt' },
  carryOut: async ({ mail, name, reference }: ToAdd, context) => {
    const { people } = context
    const [known] = await orThrow(people.withMail(mail), 'names and addresses')
    const kept = reference ?? known?.reference ?? newReference()
    // A later look at the log must not delete the person for having been forgotten before.
    await forgetBefore(context)
    const [before] = await orThrow(people.find([kept]), 'names and addresses')
    await orThrow(
      people.note({ ...before, reference: kept, mail, ...(name !== undefined && { name }) }),
      'names and addresses',
    )
    return right({ reference: kept })
  },
  route: ({ reference }: { readonly reference: string }, by) =>
    routeTo(personDecider, personStream(reference), { type: 'Add', ...by }),
  short: short<ToAdd>({
    description:
      'The log gets a reference, which names nobody. Where nodes have homes of their own, each keeps those who were entered or signed in there: --reference enters one of another home.',
    arguments: ['mail'],
    flags: {
      name: { description: 'name, for people', value: 'text' },
      reference: { description: 'reference that the log has already', value: 'text' },
    },
    done: ({ mail }) => `${mail} is entered; \`fonds people list\` shows the reference`,
    examples: [
      [
        'add ada@archive.example --name "Ada Brandt" --actor ben --reason "new here"',
        'findings can be given to Ada',
      ],
    ],
  }),
}

const pageSize = 1000

/** Whom a command has forgotten that is given again: the address leads to nobody any more. Throws `UnavailableError`. */
const forgottenBy = async (
  cause: string | undefined,
  { eventStore }: Pick<WorkflowContext, 'eventStore'>,
): Promise<Reference | undefined> => {
  for (let after = -1n; cause !== undefined; ) {
    const read = await orThrow(eventStore.readAll(after, { types: ['PersonForgotten'] }, pageSize))
    const found = read.events.find(({ metadata }) => metadata.causationId === cause)
    if (found) return idOf(found.stream)
    if (read.caughtUp) return undefined
    after = read.position
  }
  return undefined
}

/** The way back is not open: what was deleted is in older backups alone. */
export const forgetPerson: SystemCommand = {
  name: 'people.forget',
  permission: 'administer',
  description:
    'Deletes name and mail address of a person, here at once and in the homes of other nodes as they follow the log. The log keeps the reference, who wanted it and why.',
  codec: ToForget,
  example: { person: 'ada@archive.example' },
  carryOut: async ({ person }: ToForget, { people, eventStore }, { cause }) => {
    const inLog = addressIn(person)
    if (inLog !== undefined)
      return left({
        code: 'in-the-log',
        message: `an older version wrote ${inLog} to the log, where it stays: nothing of it can be deleted. What is kept here goes by the address alone`,
      })
    const found = isMailAddress(person)
      ? await orThrow(people.withMail(person), 'names and addresses')
      : await orThrow(people.find([person]), 'names and addresses')
    const [one, ...others] = found
    if (others.length > 0)
      return left({
        code: 'several-people',
        message: `${person} is the address of ${found.map(({ reference }) => reference).join(', ')}: name one by the reference`,
      })
    // One whom another home keeps is known by the reference alone.
    const reference =
      one?.reference ?? (isMailAddress(person) ? await forgottenBy(cause, { eventStore }) : person)
    if (reference === undefined)
      return left({
        code: 'unknown-person',
        message: `nobody with the address ${person} is kept here: \`fonds people list\` shows who is`,
      })
    return right({ reference })
  },
  // Not before the log has it: where the log is away, the address still leads to the person when it is given again.
  afterwards: async ({ reference }: { readonly reference: string }, { people }) => {
    await orThrow(people.forget(reference), 'names and addresses')
  },
  route: ({ reference }: { readonly reference: string }, by) =>
    routeTo(personDecider, personStream(reference), { type: 'Forget', ...by }),
  short: short<ToForget>({
    description: 'By mail address or by reference. Backups that were made before still have them.',
    arguments: ['person'],
    done: () => 'name and address are deleted; the log has the reference',
    examples: [
      ['forget ada@archive.example --actor ben --reason "she left"', 'the log keeps a reference alone'],
    ],
  }),
}
