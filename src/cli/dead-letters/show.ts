import { isLeft } from 'fp-ts/lib/Either.js'
import { showDeadLetter } from '../../app/dead-letter-service.ts'
import type { Session } from '../context.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { visible } from '../output/text.ts'
import { asCliFailure } from './failure.ts'

export const run = async ({ output, system }: Session, id: string): Promise<CliFailure | undefined> => {
  const found = await showDeadLetter(await system(), id)
  if (isLeft(found)) return asCliFailure(found.left)
  if (!output.isTTY) {
    await output.write(`${jsonText(found.right)}\n`)
    return undefined
  }
  const { value, headers, raw, ...rest } = found.right
  const fields = { ...rest, headers: JSON.stringify(headers), ...(raw && { raw: JSON.stringify(raw) }) }
  const lines = Object.entries(fields).map(
    ([name, content]) => `${name.padEnd(10)} ${visible(String(content ?? ''))}`,
  )
  await output.write(`${lines.join('\n')}\n\n${visible(value)}\n`)
  return undefined
}
