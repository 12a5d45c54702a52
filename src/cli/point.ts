import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { Time } from '../domain/kernel/codecs.ts'
import type { Point } from '../ports/view-store.ts'

/** `--as-of`, or another option: a time with a zone, or a position. Left: a sentence. */
export const parsePoint = (text: string, option = '--as-of'): Either<string, Point> => {
  if (/^\d{1,18}$/.test(text)) return right({ position: BigInt(text) })
  const time = Time.decode(text)
  return isLeft(time)
    ? left(
        `${option} ${JSON.stringify(text)} is neither a time with a zone (2026-01-31T12:00:00Z) nor a position (1042)`,
      )
    : right({ time: time.right })
}

/** The option of every command that can ask as of a moment. */
export const asOfOption = [
  '--as-of <when>',
  'as it was: a time with a zone, or a position of the log',
] as const
