/** The part of a JSON Schema that forms are made from. */
export interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
}

interface FieldProps {
  readonly name: string
  readonly schema: FieldSchema
  readonly isRequired: boolean
  readonly value: string
}

export const Field = ({ name, schema, isRequired, value }: FieldProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: one of the two controls is always there
  <label>
    {name}
    {isRequired ? '' : ' (may be left out)'}
    {schema.enum ? (
      <select name={`input.${name}`} required={isRequired}>
        <option value="">{isRequired ? 'choose one' : 'leave it out'}</option>
        {schema.enum.map((one) => (
          <option key={one} value={one} selected={one === value}>
            {one}
          </option>
        ))}
      </select>
    ) : (
      <input
        name={`input.${name}`}
        required={isRequired}
        defaultValue={value}
        autocomplete="off"
        inputMode={isNumber(schema) ? 'numeric' : 'text'}
      />
    )}
    {schema.description && <small>{schema.description}</small>}
  </label>
)

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
