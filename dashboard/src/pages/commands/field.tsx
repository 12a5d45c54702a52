import { useId } from 'preact/hooks'
import { useNoActs } from '../../shell/may-act.ts'
import { fieldWords } from './fields.ts'
import { Offers } from './offers.tsx'

/** The part of a JSON Schema that forms are made from. */
export interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
}

interface FieldProps {
  readonly name: string
  readonly schema: FieldSchema
  readonly isRequired: boolean
  readonly value: string
}

/** One field of a command: its label is its name alone, and a sentence beside it describes it. */
export const Field = ({ name, schema, isRequired, value }: FieldProps) => {
  const id = useId()
  const words = fieldWords[name]
  const isOff = useNoActs() !== undefined
  const sentences = [
    isRequired ? undefined : 'May be left out.',
    schema.description ?? words?.says,
    rangeOf(schema),
  ].filter((one) => one !== undefined)
  const control = {
    id,
    name: `input.${name}`,
    required: isRequired,
    ...(sentences.length > 0 && { 'aria-describedby': `${id}-says` }),
  }
  return (
    <div class="field">
      <label for={id}>{name}</label>
      {schema.enum ? (
        <select {...control}>
          <option value="">{isRequired ? 'choose one' : 'leave it out'}</option>
          {schema.enum.map((one) => (
            <option key={one} value={one} selected={one === value}>
              {one}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...control}
          defaultValue={value}
          autocomplete="off"
          inputMode={isNumber(schema) ? 'numeric' : 'text'}
          placeholder={schema.examples === undefined ? undefined : String(schema.examples[0])}
          list={words?.offers && `${id}-offers`}
        />
      )}
      {words?.offers && !isOff && <Offers of={words.offers} id={`${id}-offers`} />}
      {sentences.length > 0 && <small id={`${id}-says`}>{sentences.join(' ')}</small>}
    </div>
  )
}

const rangeOf = ({ minimum, maximum }: FieldSchema): string | undefined =>
  minimum === undefined
    ? undefined
    : maximum === undefined
      ? `${minimum} or more.`
      : `${minimum} to ${maximum}.`

const isNumber = ({ type }: FieldSchema): boolean => type === 'integer' || type === 'number'

/** Whether what was typed is JSON and not text: numbers, lists, whatever may be null. */
const isPlainText = ({ type, enum: choices }: FieldSchema): boolean =>
  type === 'string' || choices !== undefined

/** What was typed, as the command takes it. What is no JSON goes as text: the server then says what it wants. */
export const typedValue = (schema: FieldSchema, typed: string): unknown => {
  if (isPlainText(schema)) return typed
  try {
    return JSON.parse(typed)
  } catch {
    return typed
  }
}
