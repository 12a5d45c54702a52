import type { TopicSpec } from './message.ts'

/*
 * Personal fields of messages, declared with each kind of message. A field is a text, a list of texts, or, as `refused.to`, a field of
 * each thing in a list.
 */

/** Personal fields of a kind of message; none if there are none. */
export const personalFields = ({ messages }: Pick<TopicSpec, 'messages'>, type: string): readonly string[] =>
  messages.find((spec) => spec.type === type)?.personal ?? []

/** Data with other texts in the place of those in its personal fields. Data of another shape stay as they are. */
export const changePersonal = (
  data: unknown,
  fields: readonly string[],
  change: (text: string) => string,
): unknown => fields.reduce((changed, field) => changeAt(changed, field.split('.'), change), data)

const changeAt = (value: unknown, steps: readonly string[], change: (text: string) => string): unknown => {
  // A list in a list is no value of such a field, and may be nested without end.
  if (Array.isArray(value))
    return value.map((one) => (Array.isArray(one) ? one : changeAt(one, steps, change)))
  const [step, ...rest] = steps
  if (step === undefined) return typeof value === 'string' ? change(value) : value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value
  const fields: Readonly<Record<string, unknown>> = { ...value }
  return { ...fields, [step]: changeAt(fields[step], rest, change) }
}
