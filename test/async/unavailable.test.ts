import { left, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, test } from 'vitest'
import { ifDeleted, orThrow, tryUnavailable, UnavailableError } from '#src/async/unavailable.ts'
import type { ReadFailure } from '#src/ports/event-store.ts'

const away: ReadFailure = { kind: 'Unavailable', reason: 'no disk' }
const deleted: ReadFailure = { kind: 'StreamDeleted', stream: 'a-1' }

test('a failure is thrown as a sentence that says what was being done', async () => {
  await expect(orThrow(TE.right(1))).resolves.toBe(1)
  await expect(orThrow(TE.left(away))).rejects.toThrow(new UnavailableError('no disk'))
  await expect(orThrow(TE.left(deleted), 'the graph')).rejects.toThrow(
    new UnavailableError('the graph: a-1 is permanently deleted'),
  )
})

test('a stream that was deleted for good is taken for something else, what is away is not', async () => {
  const read = (failure: ReadFailure) => pipe(TE.left(failure), ifDeleted([]), orThrow)
  expect(await read(deleted)).toEqual([])
  await expect(read(away)).rejects.toThrow('no disk')
})

test('what is thrown as unavailable is a value again; a bug stays one', async () => {
  expect(await tryUnavailable(async () => 1)()).toEqual(right(1))
  expect(await tryUnavailable(() => Promise.reject(new UnavailableError('no disk')))()).toEqual(left(away))
  await expect(tryUnavailable(() => Promise.reject(new TypeError('a bug')))()).rejects.toThrow(TypeError)
})
