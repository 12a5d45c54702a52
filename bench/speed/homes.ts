import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Round, Side } from './measured.ts'

/** A home that is made for the work, and removed after it. */
export const onEmptyHome = async (
  { folder }: Round,
  work: (home: string) => Promise<Side>,
): Promise<Side> => {
  const home = await mkdtemp(join(folder, 'home-'))
  const side = await work(home)
  await rm(home, { recursive: true, maxRetries: 10 })
  return side
}
