import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder } from '@fonds/toolbox/disk'
import { writeOnce } from '../../async/write-once.ts'
import { Site, siteOf } from '../../domain/ingest/site.ts'

/** In a home, and in a work folder: a node that sees the folder has the file, and identifies the folder by it. */
export const siteFile = 'site'

export interface Sites {
  /** Existing sites of this process. */
  here(): Promise<readonly string[]>
  /** Site of the home. Created if missing. */
  home(): Promise<string>
  /** Site of the work folder. Created if missing. */
  work(): Promise<string>
}

export const createSites = ({ home, work }: { readonly home: string; readonly work: string }): Sites => {
  const [ofHome, ofWork] = [siteAt(resolve(home)), siteAt(resolve(work))]
  return {
    here: async () =>
      (await Promise.all([ofHome.find(), ofWork.find()])).filter((site) => site !== undefined),
    home: ofHome.make,
    work: ofWork.make,
  }
}

/**
 * A missing site is looked up each time: another process creates one right before the work that needs it, and a poll
 * that does not know it yet would leave that work until the next one.
 */
const siteAt = (folder: string) => {
  let known: string | undefined
  return {
    find: async (): Promise<string | undefined> => {
      known ??= await siteIn(folder)
      return known
    },
    make: async (): Promise<string> => {
      known ??= (await siteIn(folder)) ?? (await makeSite(folder))
      return known
    },
  }
}

const siteIn = async (folder: string): Promise<string | undefined> => {
  const file = join(folder, siteFile)
  try {
    return decoded(file, await readFile(file, 'utf8'))
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

const makeSite = async (folder: string): Promise<string> => {
  await makeFolder(folder)
  const file = join(folder, siteFile)
  return decoded(file, await writeOnce(file, `${siteOf(hostname(), randomBytes(8).toString('hex'))}\n`))
}

const decoded = (file: string, text: string): string => {
  const site = text.trim()
  if (!Site.is(site))
    throw new Error(`${file} names no site; put that of a backup in its place, or remove it`)
  return site
}
