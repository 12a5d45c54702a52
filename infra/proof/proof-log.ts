import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type Bundle, parseTilePath, type Tile, tilePath, tileWidth } from '@fonds/tlog'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder, syncAll } from '@fonds/toolbox/disk'
import { UnavailableError } from '../../src/async/unavailable.ts'
import type { ProofLog, TreeFile } from '../../src/ports/proof-log.ts'
import { loadKeys, makeKeys } from './keys.ts'
import { lastFolder, nextFolder, retiredKeys, useNextKeys } from './replaced-keys.ts'
import { committedHeads, openStreamHeads, scratchStreamHeads } from './stream-heads.ts'
import { createStreamRows } from './stream-rows.ts'

interface ProofFolders {
  readonly folder: string
  readonly keyFolder: string
  /** SQLite file of stream heads. */
  readonly headsFile: string
}

/** The tree in a folder that any web server can serve. Makes no folder before something is written. */
export const openProofLog = ({ folder, keyFolder, headsFile }: ProofFolders): ProofLog => {
  const checkpoint = join(folder, 'checkpoint')
  const witnessed = join(folder, 'witnessed')
  const stamps = join(folder, 'stamps')
  const checkFile = join(dirname(headsFile), 'proof-check.json')
  const heldFile = join(dirname(headsFile), 'proof-held.json')
  const rows = createStreamRows(join(dirname(headsFile), 'proof-streams'))
  /** Written since the last publication. */
  const unsynced = new Set<string>()
  const attempt = attemptIn(folder)

  const head = () =>
    attempt(async () => {
      const text = await ifThere(readFile(checkpoint, 'utf8'))
      return text === undefined ? undefined : { text, at: (await stat(checkpoint)).mtime.toISOString() }
    })

  const readTile = async (tile: Tile | Bundle): Promise<TreeFile | undefined> => {
    const bytes = await ifThere(readFile(join(folder, tilePath(tile))))
    if (bytes) return { tile, bytes }
    return tile.width === tileWidth ? undefined : readTile({ ...tile, width: tileWidth })
  }

  const writeTile = async ({ tile, bytes }: TreeFile): Promise<void> => {
    const file = join(folder, tilePath(tile))
    for (let above = dirname(file); above !== dirname(folder); above = dirname(above)) unsynced.add(above)
    if (!existsSync(dirname(file))) await makeFolder(dirname(file))
    await writeFile(file, bytes)
    unsynced.add(file)
  }

  /** Whole or not at all, and on disk. */
  const replaceFile = async (file: string, content: string | Uint8Array): Promise<void> => {
    const next = `${file}.${process.pid}.new`
    try {
      await writeFile(next, content, { flush: true })
      await rename(next, file)
    } catch (error) {
      await rm(next, { force: true }).catch(() => {})
      throw error
    }
    await syncAll([dirname(file), folder, dirname(folder)])
  }

  return {
    folder,
    keyFolder,
    head,
    tile: (tile) => attempt(() => readTile(tile)),
    write: (files) => attempt(async () => void (await Promise.all(files.map(writeTile)))),
    publish: (text, before) =>
      attempt(async () => {
        await makeFolder(folder)
        await syncAll([...unsynced])
        if ((await head())?.text !== before)
          throw new UnavailableError(`another process has written ${checkpoint}`)
        await replaceFile(checkpoint, text)
        unsynced.clear()
      }),
    witnessed: () => attempt(() => ifThere(readFile(witnessed, 'utf8'))),
    publishWitnessed: (text) => attempt(() => replaceFile(witnessed, text)),
    keepStamp: (size, token) =>
      attempt(async () => {
        await makeFolder(stamps)
        await replaceFile(join(stamps, `${size}.tst`), token)
      }),
    tidy: (size) => attempt(() => removePartials(folder, size)),
    setAside: (name) =>
      attempt(async () => {
        const aside = join(folder, 'earlier', name)
        await makeFolder(aside)
        // The checkpoint goes last: as long as it is there, this is to be done. Tiles without one are of no head.
        if (existsSync(checkpoint))
          for (const part of ['tile', 'witnessed', 'stamps', 'checkpoint'])
            await ifThere(rename(join(folder, part), join(aside, part)))
        else await rm(join(folder, 'tile'), { recursive: true, force: true })
        await syncAll([aside, dirname(aside), folder])
        unsynced.clear()
      }),
    keys: () => attempt(() => loadKeys(keyFolder)),
    makeKeys: () => attempt(() => makeKeys(keyFolder)),
    nextKeys: () => attempt(() => loadKeys(nextFolder(keyFolder))),
    makeNextKeys: () => attempt(() => makeKeys(nextFolder(keyFolder))),
    useNextKeys: (retired) => attempt(() => useNextKeys(keyFolder, retired)),
    lastKeys: () => attempt(() => loadKeys(lastFolder(keyFolder))),
    dropLastKeys: () => attempt(() => rm(lastFolder(keyFolder), { recursive: true, force: true })),
    retiredKeys: () => attempt(() => retiredKeys(keyFolder)),
    checkState: () => attempt(() => ifThere(readFile(checkFile, 'utf8'))),
    keepCheckState: (text) => attempt(() => replaceFile(checkFile, text)),
    heldViews: () => attempt(() => ifThere(readFile(heldFile, 'utf8'))),
    keepHeldViews: (text) => attempt(() => replaceFile(heldFile, text)),
    openHeads: () => openStreamHeads(headsFile),
    committedHeads: () => committedHeads(headsFile),
    scratchHeads: scratchStreamHeads,
    keepStreamRows: (size, text) => attempt(() => rows.keep(size, text)),
    streamRows: (size) => attempt(() => rows.read(size)),
  }
}

const attemptIn =
  (folder: string) =>
  async <A>(work: () => Promise<A>): Promise<A> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof UnavailableError || !isSystemError(error)) throw error
      throw new UnavailableError(`the proof folder ${folder}: ${error.message}`, { cause: error })
    }
  }

const ifThere = async <A>(reading: Promise<A>): Promise<A | undefined> => {
  try {
    return await reading
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Reads names alone: a folder of tiles has a thousand at most. */
const removePartials = async (folder: string, size: bigint): Promise<void> => {
  const visit = async (at: string): Promise<void> => {
    for (const entry of (await ifThere(readdir(at, { withFileTypes: true }))) ?? []) {
      const path = join(at, entry.name)
      if (!entry.isDirectory()) continue
      if (!entry.name.endsWith('.p')) await visit(path)
      else if (isCovered(relative(folder, path.slice(0, -'.p'.length)), size))
        await rm(path, { recursive: true, force: true })
    }
  }
  await visit(join(folder, 'tile'))
}

const isCovered = (path: string, size: bigint): boolean => {
  const tile = parseTilePath(path)
  if (!tile) return false
  const levels = tile.level === 'entries' ? 1 : tile.level + 1
  return (tile.index + 1n) << BigInt(8 * levels) <= size
}
