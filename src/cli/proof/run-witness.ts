import type { Session } from '../context.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { plural, visible } from '../output/text.ts'

export const run = async (session: Session): Promise<CliFailure | undefined> => {
  const { witness: open } = await session.system()
  const witness = await open()
  try {
    const { output } = session
    const { keys, origins } = witness
    const evidence = witness.evidence()
    if (!output.isTTY) {
      await output.write(`${jsonText({ keys, origins, evidence })}\n`)
      return undefined
    }
    await output.write(keys.map((key, i) => `witness w${i + 1} ${key} <this node>/witness\n`).join(''))
    await output.write(`It cosigns ${plural(origins.length, 'log')}: ${visible(origins.join(', '))}.\n`)
    const forks = evidence.filter(({ isFork }) => isFork)
    for (const { origin, at, reason, cosigned = '', refused } of forks)
      await output.write(
        `\nA FORK: on ${at} the log ${visible(origin)} ${visible(reason)}. Both heads, signed:\n\n${cosigned}\n${refused}`,
      )
    const others = evidence.length - forks.length
    if (others > 0)
      await output.write(`${plural(others, 'head')} refused without a proof that the tree grew to it.\n`)
    return undefined
  } finally {
    await witness.close()
  }
}
