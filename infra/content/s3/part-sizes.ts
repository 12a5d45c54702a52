import { sideBySide } from '../../../src/async/side-by-side.ts'

/** Requests at a time. */
const width = 8
const maxParts = 10_000

/**
 * Bytes of each part that an object was uploaded in, asked one by one: parts may differ in size. `sizeOf` asks for the
 * size of a part, numbered from 1; undefined where the server has no answer. Undefined for the whole where it gives the
 * size of the object instead, or sizes that do not add up.
 */
export const partSizes = async (
  { size, count }: { readonly size: number; readonly count: number },
  sizeOf: (part: number) => Promise<number | undefined>,
): Promise<readonly number[] | undefined> => {
  if (count > maxParts) return undefined
  if (count === 1) return [size]
  const first = await sizeOf(1)
  if (first === undefined || first >= size) return undefined
  const sizes = [first]
  let isKnown = true
  const others = Array.from({ length: count - 1 }, (_, i) => i + 2)
  await sideBySide(others, width, async (part) => {
    if (!isKnown) return
    const found = await sizeOf(part)
    if (found === undefined) isKnown = false
    else sizes[part - 1] = found
  })
  return isKnown && sizes.reduce((sum, part) => sum + part, 0) === size ? sizes : undefined
}
