import type { Command } from 'commander'

/** Examples below a command's help: what to type, and what it does. `areShown` may leave them out. */
export const addExamples = (
  command: Command,
  examples: readonly (readonly [typed: string, does: string])[],
  areShown: () => boolean = () => true,
): void => {
  const text = examples.map(([typed, does]) => `  $ fonds ${typed}\n      ${does}`).join('\n')
  command.addHelpText('after', () =>
    areShown()
      ? `\nExamples:\n${text}\n\nSettings such as --home go with every command: \`fonds settings --help\`.`
      : '',
  )
}
