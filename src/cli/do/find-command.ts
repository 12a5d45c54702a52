import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { OperatorCommand } from '../../processors/runtime/operator-command.ts'
import { didYouMean } from '../closest.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'

export const findCommand = <Known extends OperatorCommand>(
  commands: readonly Known[],
  name: string,
): Either<CliFailure, Known> => {
  const command = commands.find((one) => one.name === name || one.formerName === name)
  const names = commands.map((one) => one.name)
  return command ? right(command) : left(refused(`there is no command ${name}`, didYouMean(name, names)))
}
