import type { ComponentChildren } from 'preact'
import { answered } from '../api/client.ts'
import { Act, type By } from './act.tsx'
import { commandLine } from './command-line.ts'
import type { Told } from './outcome.tsx'

/** Gives an operator's command. Rejects with `Refused`. */
export const giveCommand = async (
  name: string,
  input: Readonly<Record<string, unknown>>,
  { actor, reason, key }: By,
): Promise<Told> => {
  const response = await answered(`/api/v1/commands/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ input, actor, reason }),
  })
  return (await response.json()) as Told
}

interface CommandProps {
  /** As in `indexing.rescue`. */
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly verb: string
  /** What it will do, in a sentence. */
  readonly says: ComponentChildren
  /** Why it cannot be done, in a sentence. */
  readonly cannot?: string | undefined
}

/** A button that gives an operator's command, once it has asked who wants it and why. */
export const Command = ({ name, input, ...shown }: CommandProps) => (
  <Act
    {...shown}
    needs={{ command: name }}
    line={commandLine(name, input)}
    act={(by) => giveCommand(name, input, by)}
  />
)
