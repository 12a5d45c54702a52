import { open } from 'node:fs/promises'

const blockBytes = 1024 * 1024

/** Returns whether two files hold the same bytes. */
export const sameBytes = async (
  [first, second]: readonly [string, string],
  breathe: () => Promise<void>,
): Promise<boolean> => {
  await using one = await open(first, 'r')
  await using other = await open(second, 'r')
  const [a, b] = [Buffer.allocUnsafe(blockBytes), Buffer.allocUnsafe(blockBytes)]
  for (let at = 0; ; ) {
    const [read, also] = [await readFull(one, a, at), await readFull(other, b, at)]
    if (read !== also || !a.subarray(0, read).equals(b.subarray(0, also))) return false
    if (read < blockBytes) return true
    at += read
    await breathe()
  }
}

/** Fills the buffer, but at the end of the file. */
const readFull = async (
  file: Awaited<ReturnType<typeof open>>,
  into: Buffer,
  at: number,
): Promise<number> => {
  let filled = 0
  while (filled < into.length) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, at + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}
