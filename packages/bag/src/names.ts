import { decodeLineEnds, isUnsafePath } from './bagit/lines.ts'

/* Meanings of names in lists of files: other systems and tools write them in their own ways. */

/** Possible meanings of a name, for a reader that sees which files there are. */
export interface NameReadings {
  /** In the order in which they count: the first that is there is meant. */
  readonly names: readonly string[]
  /** The name of a file that is under none of them. */
  readonly ifMissing: string
}

interface WrittenName {
  /** As written; decoded as RFC 8493 has it in a bag. */
  readonly name: string
  /** In a bag: as written, if it holds a percent sign. */
  readonly written?: string
  /** The tool escaped it: its backslashes are those of a name, or of Windows. */
  readonly isEscaped?: true
}

/**
 * The readings of a name in a checksum file: Windows tools write `.\sub\f.txt`, and md5sum of GNU on Windows escapes it.
 * A missing file has an escaped name as it stands, unless that leads out of the folder on Windows.
 */
export const checksumName = ({ name, isEscaped }: WrittenName): NameReadings => {
  const readings = withOtherSystems([name], name)
  return isEscaped && !isUnsafePath(readings.ifMissing) ? { ...readings, ifMissing: name } : readings
}

/**
 * Gives the readings of names in a manifest or a fetch.txt of a bag. RFC 8493 §2.1.3 encodes percent signs; before 1.0,
 * and in each bag of bagit.py, they stand for themselves. One that cannot be an encoded one tells that none of the
 * manifest is.
 */
export const bagNames = (
  lines: Iterable<Pick<WrittenName, 'written'>>,
  { isOld }: { readonly isOld: boolean },
): ((name: WrittenName) => NameReadings) => {
  let isLiteral = false
  for (const { written } of lines) isLiteral ||= written !== undefined && /%(?!0a|0d|25)/i.test(written)
  return ({ name, written }) => {
    if (written === undefined) return withOtherSystems([name], name)
    const lineEnds = decodeLineEnds(written)
    const names = isLiteral ? [lineEnds, written, name] : [name, lineEnds, written]
    return withOtherSystems(
      names.filter((one) => !isUnsafePath(one)),
      isLiteral || isOld ? lineEnds : name,
    )
  }
}

/** Macs keep the icon of a folder as `Icon` with CR, which is taken for the end of its line. */
const isMacIcon = (name: string): boolean => /(^|[/\\])Icon$/.test(name)

const slashed = (name: string): string => name.replaceAll('\\', '/')

const withOtherSystems = (names: readonly string[], ifMissing: string): NameReadings => {
  const icons = names.filter(isMacIcon).map((name) => `${name}\r`)
  const all = [...names, ...icons]
  const isPlain = all.length === 1 && !ifMissing.includes('\\')
  return {
    names: isPlain ? all : [...new Set([...all, ...all.map(slashed)])],
    ifMissing: slashed(ifMissing),
  }
}

/** True for a name of Windows that states a drive or a server: no folder of a manifest holds it. */
export const isOfWindowsRoot = (name: string): boolean =>
  /^([a-z]:)?[\\/]/i.test(name) || /^[a-z]:$/i.test(name)
