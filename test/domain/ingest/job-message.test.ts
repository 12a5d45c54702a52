import { expect, it } from 'vitest'
import { messageOf } from '#src/domain/ingest/job/message.ts'

it.each([
  [{ message: null, warnings: [] }, null],
  [{ message: null, warnings: ['a', 'b'] }, 'a; b'],
  [{ message: 'failed', warnings: ['a'] }, 'failed'],
  // A row of views that an earlier program folded.
  [{ message: null }, null],
])('what a job tells is the reason of its last move, else its warnings: %j', (row, message) => {
  expect(messageOf(row)).toBe(message)
})
