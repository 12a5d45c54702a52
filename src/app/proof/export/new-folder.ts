import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '@fonds/toolbox/disk'
import { type Either, left, right } from 'fp-ts/lib/Either.js'

/** Fills a folder, which gets its name when all of it is there. Left: why it cannot have that name. Throws what `fill` throws. */
export const newFolder = async <A>(
  to: string,
  fill: (folder: string) => Promise<A>,
): Promise<Either<string, A & { readonly folder: string }>> => {
  const target = resolve(to)
  if (existsSync(target) && (await readdir(target)).length > 0)
    return left(`${target} exists and is not empty; name another folder`)
  const partial = `${target}.${process.pid}.partial`
  await makeFolder(dirname(target))
  await mkdir(partial)
  try {
    const filled = await fill(partial)
    await rm(target, { recursive: true, force: true })
    await rename(partial, target)
    return right({ ...filled, folder: target })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}
