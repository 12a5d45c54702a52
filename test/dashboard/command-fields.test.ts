import { expect, it } from 'vitest'
import { closedSchemaOf } from '#src/app/documents/json-schema.ts'
import { workflows } from '#src/workflows/all.ts'
import { commandsOf } from '#src/workflows/workflow.ts'
import { fieldWords } from '../../dashboard/src/pages/commands/fields.ts'

const commands = commandsOf(workflows).map(({ name, codec }) => {
  const { properties = {} } = closedSchemaOf(codec) as {
    properties?: Readonly<Record<string, { description?: string }>>
  }
  return [name, Object.entries(properties)] as const
})

it('has words for every field of every command that its form shows', () => {
  const wordless = commands.flatMap(([name, fields]) =>
    fields
      .filter(([field, { description }]) => !(description ?? fieldWords[field]?.says))
      .map(([field]) => `${name} ${field}`),
  )
  expect(wordless).toEqual([])
})

it('has words for no field that no command takes', () => {
  const taken = new Set(commands.flatMap(([, fields]) => fields.map(([field]) => field)))
  expect(Object.keys(fieldWords).filter((field) => !taken.has(field))).toEqual([])
})
