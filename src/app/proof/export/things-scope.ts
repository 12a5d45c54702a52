import type { StatedStreams } from '../streams/stated-streams.ts'

/** Which events an export of things has, in words. */
export const scopeOf = (
  things: readonly { readonly thing: string; readonly streams: readonly string[] }[],
  elsewhere: number,
  { hasRest, stated }: { readonly hasRest: boolean; readonly stated: StatedStreams | undefined },
): string =>
  [
    `They are all that were sealed in the streams of these things${hasRest ? '' : ' until the last one here'}:\n`,
    ...things.map(({ thing, streams }) => `    ${thing}: ${streams.join(', ')}`),
    ...(stated
      ? [
          `\nThat they had no other event among the first ${stated.size} of the history is the archive's own statement, which it made as entry ${stated.index}, counted from 0. Behind these the entries show it.`,
        ]
      : []),
    ...(elsewhere > 0
      ? [`\n${elsewhere} of them are from other streams, and concern these things, too.`]
      : []),
  ].join('\n')
