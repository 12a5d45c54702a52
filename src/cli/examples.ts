import type { Command } from 'commander'

/** Examples below a command's help: what to type, and what it does. */
export const addExamples = (
  command: Command,
  examples: readonly (readonly [typed: string, does: string])[],
): void => {
  const text = examples.map(([typed, does]) => `  $ fonds ${typed}\n      ${does}`).join('\n')
  command.addHelpText(
    'after',
    `\nExamples:\n${text}\n\nSettings such as --home go with every command: \`fonds --help\`.`,
  )
}
