import { sideBySide } from '../../../async/side-by-side.ts'
import { clampPriority } from '../../../domain/ingest/profile/profile.ts'
import { objectRows, packedAs } from '../payload/object-rows.ts'
import type { Step } from './step.ts'

/** Added to the priority value of a job of unknown size, so that it waits longer. */
const unknownCosts = 10

/** Factor for a container and its unpacked files, whose size is not stated: texts compress to a third. */
const unpackedTo = 4

/** I23: estimates the bytes that the files will take. An unknown size does not fail the job (X9). */
export const estimate: Step<'estimating'> = async (job, tools, hold) => {
  const rows = await objectRows(job, tools, hold)
  // One unknown size makes the sum unknown: a server that states none is not queried for each of its files.
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
