import { UnreadableArchive } from '@fonds/warc'
import type { ContainedArchive, FindContents, Source } from '@fonds/warc/read'
import { clip } from '../../../domain/kernel/clip.ts'
import { visible } from '../../../domain/kernel/visible.ts'
import { algorithmOf, type Resource, readDataPackage } from './data-package.ts'
import { digested } from './digested.ts'
import { beginsZip, openWacz, type StoredArchive } from './open-wacz.ts'

/**
 * Finds the archive files in a WACZ, by its content and not by its name. Their records are read where they lie; the
 * index and the pages in the WACZ are not read, for they prove nothing. Undefined for any other file.
 */
export const findContents =
  (name: string): FindContents =>
  async (file) => {
    if (!beginsZip(file)) return undefined
    const wacz = await openWacz(file)
    if (!wacz) return undefined
    const { resources, warnings } = readDataPackage(wacz)
    const described = new Map(resources.map((resource) => [resource.path, resource]))
    const filled = wacz.archives.filter(({ size }) => size > 0)
    if (filled.length === 0)
      throw new UnreadableArchive('empty', 'it is a WACZ that holds no WARC file, or empty ones alone')
    return {
      archives: filled.map((archive) => contained(file, archive, described.get(archive.path))),
      warnings: [
        ...(/\.wacz$/i.test(name) ? [] : [`the name ${name} does not say what the content is: a WACZ`]),
        ...warnings,
        ...wacz.archives.filter(({ size }) => size === 0).map(({ path }) => `${shown(path)} is empty`),
        ...wacz.others.map((path) => `${shown(path)} is not read: its name is none of a WARC or ARC file`),
        ...(resources.length === 0 ? [] : differences(wacz.archives, described)),
      ],
    }
  }

/** The archive files alone, for serving: without comparing them with their description. */
export const archivesIn = async (
  file: Source,
): Promise<readonly Pick<ContainedArchive, 'from' | 'bytes'>[] | undefined> => {
  if (!beginsZip(file)) return undefined
  const wacz = await openWacz(file)
  return wacz?.archives.map((archive) => ({ from: archive.from, bytes: partOf(file, archive) }))
}

const partOf = (file: Source, { from, size }: StoredArchive): Source => ({
  size,
  read: (offset, buffer) =>
    file.read(from + offset, buffer.subarray(0, Math.max(0, Math.min(buffer.length, size - offset)))),
})

const contained = (
  file: Source,
  archive: StoredArchive,
  resource: Resource | undefined,
): ContainedArchive => {
  const name = shown(archive.path)
  const algorithm = algorithmOf(resource?.hash)
  const bytes = digested(partOf(file, archive), algorithm ?? 'sha256')
  return {
    name,
    from: archive.from,
    bytes,
    end: () => {
      const { crc, hash } = bytes.end()
      const isAsDescribed =
        algorithm === undefined || resource?.hash?.toLowerCase() === `${algorithm}:${hash}`
      return {
        warnings: isAsDescribed ? [] : [`${name} has another digest than datapackage.json says`],
        ...(crc !== archive.crc && {
          damage: `${name} does not have the checksum (CRC-32) that the directory of the zip has of it`,
        }),
      }
    },
  }
}

/** Differences between the WACZ and its description, one sentence each. */
const differences = (
  archives: readonly StoredArchive[],
  described: ReadonlyMap<string, Resource>,
): readonly string[] => {
  const held = new Set(archives.map(({ path }) => path))
  return [
    ...archives
      .filter(({ path }) => !described.has(path))
      .map(({ path }) => `${shown(path)} is not in datapackage.json`),
    ...[...described.keys()]
      .filter((path) => path.startsWith('archive/') && !held.has(path))
      .map((path) => `${shown(path)} is missing: datapackage.json names it`),
    ...archives
      .filter(({ path, size }) => (described.get(path)?.bytes ?? size) !== size)
      .map(
        ({ path, size }) =>
          `${shown(path)} has ${size} bytes, and datapackage.json says ${described.get(path)?.bytes}`,
      ),
  ]
}

/** The path comes from the file. */
const shown = (path: string): string => visible(clip(path, 200))
