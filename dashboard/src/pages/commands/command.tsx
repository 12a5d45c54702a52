import { useId, useState } from 'preact/hooks'
import { useAddress } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Act, type By } from '../../parts/act.tsx'
import { Answer } from '../../parts/answer.tsx'
import { giveCommand } from '../../parts/command.tsx'
import { commandLine } from '../../parts/command-line.ts'
import type { Told } from '../../parts/outcome.tsx'
import type { PageProps } from '../../shell/lazy.tsx'
import { Field, type FieldSchema, typedValue } from './field.tsx'

type Command = AnswerOf<'/api/v1/commands'>['commands'][number]

/** One operator's command: its fields stand in the address, so a link can bring them along. */
const CommandPage = ({ values }: PageProps) => (
  <Answer of={useAnswer('/api/v1/commands')}>
    {({ commands }) => {
      const command = commands.find(({ name }) => name === values.command)
      return command ? (
        <Given key={command.name} command={command} />
      ) : (
        <p>There is no command {values.command}.</p>
      )
    }}
  </Answer>
)

const Given = ({ command }: { readonly command: Command }) => {
  const { query } = useAddress()
  const form = useId()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries([...query].filter(([name]) => name !== 'at')),
  )
  const { properties = {}, required = [] } = command.input as Schema
  const act = (by: By): Promise<Told> => {
    const fields = new FormData(document.getElementById(form) as HTMLFormElement)
    const input = Object.fromEntries(
      Object.entries(properties).flatMap(([name, schema]) => {
        const text = String(fields.get(`input.${name}`) ?? '')
        return text === '' ? [] : [[name, typedValue(schema, text)]]
      }),
    )
    return giveCommand(command.name, input, by)
  }
  return (
    <>
      <h1>{command.name}</h1>
      <p>{command.description}</p>
      <form
        id={form}
        onSubmit={(event) => event.preventDefault()}
        onInput={({ currentTarget }) =>
          setTyped(
            Object.fromEntries(
              [...new FormData(currentTarget)].map(([name, value]) => [
                name.replace('input.', ''),
                String(value),
              ]),
            ),
          )
        }
      >
        {Object.entries(properties).map(([name, schema]) => (
          <Field
            key={name}
            name={name}
            schema={schema}
            isRequired={required.includes(name)}
            value={query.get(name) ?? ''}
          />
        ))}
      </form>
      <div class="buttons">
        <Act verb="Do it" says={command.description} needs={{ command: command.name }} act={act} />
      </div>
      <p>
        The same on the command line: <code class="name">{commandLine(command.name, typed)}</code>
      </p>
    </>
  )
}

interface Schema {
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
}

export default CommandPage
