import { sideBySide } from '../../../async/side-by-side.ts'
import { clampPriority } from '../../../domain/ingest/profile/profile.ts'
import { objectRows, packedAs } from '../payload/object-rows.ts'
import type { Step } from './step.ts'

/** What a job of unknown size waits longer. */
const unknownCosts = 10

/** What a container takes beside what it is unpacked to, which nobody says: texts pack to a third. */
const unpackedTo = 4

/** I23: bytes that the files will take. A size that nobody says fails nothing (X9). */
export const estimate: Step<'estimating'> = async (job, tools, hold) => {
  const rows = await objectRows(job, tools, hold)
  // One is enough for the sum to be unknown: a server that says nothing is not asked for each of its files.
  let isUnknown = false
  const sizes = await sideBySide(rows, tools.fetches, async ({ url, size }) => {
    hold.progress()
    const found = size ?? (isUnknown ? undefined : await tools.fetcher.sizeOf(url, hold))
    isUnknown ||= found === undefined
    return found
  })
  hold.signal.throwIfAborted()
  const known = sizes.filter((size) => size !== undefined)
  const bytes = known.reduce((sum, size) => sum + size, 0)
  if (known.length === sizes.length)
    return { spaceNeeded: packedAs(job.facts.payload) ? bytes * unpackedTo : bytes, sizeKnown: true }
  return { spaceNeeded: 0, sizeKnown: false, priority: clampPriority(job.priority + unknownCosts) }
}
