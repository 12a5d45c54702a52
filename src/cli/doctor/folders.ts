import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import type { Config } from '../../app/config/settings.ts'
import { atHome } from '../../workers/runtime/at-home.ts'
import { type Finding, fail, ok, warn } from '../../workflows/finding.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import { bytes } from '../output/text.ts'
import { databaseFiles } from './machine.ts'

const littleSpace = 1024 ** 3
const noSpace = 50 * 1024 ** 2

/** A line for each disk that Fonds writes to, with its folders there; one more for each folder that it may not write to. */
export const writtenFolders = (config: Config, workflows: readonly Workflow[]): readonly Finding[] => {
  const folders = foldersOf(config, workflows)
  const disks = Map.groupBy(folders, mountOf)
  return [...disks].map(([mount, all]) => roomOn(mount, all)).concat(folders.flatMap(denied))
}

/** Those that are there, each once. What lies in another one of them, on the same disk, is left out. */
const foldersOf = (config: Config, workflows: readonly Workflow[]): readonly string[] => {
  const all = [
    config.home,
    ...databaseFiles(config).map((file) => dirname(file)),
    ...workflows.flatMap(({ folders }) => folders?.(config) ?? []).map(atHome),
  ]
  const there = [...new Set(all.map((folder) => resolve(folder)))].filter((folder) => existsSync(folder))
  return there.filter(
    (folder) => !there.some((other) => folder.startsWith(other + sep) && mountOf(folder) === mountOf(other)),
  )
}

const roomOn = (mount: string, folders: readonly string[]): Finding => {
  const { bavail, bsize } = statfsSync(mount)
  const free = bavail * bsize
  const places = folders.length === 1 ? `${folders[0]} is` : `${folders.join(', ')} are`
  const sentence = `${bytes(free)} free on the disk at ${mount}, where ${places}`
  if (free < noSpace)
    return fail('disk', sentence, 'make room before anything else: nothing can be written soon')
  return free < littleSpace ? warn('disk', sentence, 'make room, or move the folder') : ok('disk', sentence)
}

const denied = (folder: string): readonly Finding[] => {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return []
  } catch {
    return [
      fail(
        'files',
        `${folder} cannot be read and written: writes to it wait`,
        'change its owner or its permissions, or mount its disk for writing',
      ),
    ]
  }
}

/** The topmost folder on the same disk. */
const mountOf = (folder: string): string => {
  const above = dirname(folder)
  return above === folder || statSync(above).dev !== statSync(folder).dev ? folder : mountOf(above)
}
