import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { isPersonal } from '../../domain/kernel/personal.ts'
import { isPart } from '../premis/agents.ts'

/** Fields of events that name people, whatever the event is. */
const naming = new Set(['researcher', 'curator', 'submitter', 'notifyTo'])

/** True for an event of which a field names somebody plainly. Its actor is looked at elsewhere. */
export const namesPlainly = ({ data }: Pick<RecordedEvent, 'data'>): boolean => isPlainIn(data)

const isPlainIn = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([name, one]) =>
    naming.has(name) ? textsOf(one).some(isPlain) : isPlainIn(one),
  )

const textsOf = (value: unknown): readonly string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string')

/** Workers of Fonds are no people. */
const isPlain = (text: string): boolean => !isPersonal(text) && !isPart(text)
