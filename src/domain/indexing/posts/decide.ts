import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { type PostEvent, type PostedLines, postEvents, postsCategory } from './events.ts'

export interface KeepPost extends Command {
  readonly type: 'PostLines' | 'DeleteLines'
  readonly posted: PostedLines
}

/** A post: one fact, at its place in the log among those of others. */
export const postDecider: Decider<boolean, KeepPost, PostEvent, never> = {
  category: postsCategory,
  events: postEvents,
  initial: false,
  evolve: () => true,
  decide: ({ type, posted, at }, isKept) =>
    E.right(
      isKept
        ? []
        : [{ type: type === 'PostLines' ? 'LinesPosted' : 'LinesDeleted', data: { ...posted, at } }],
    ),
}
