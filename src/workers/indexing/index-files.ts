import { isAbsolute, resolve } from 'node:path'

/**
 * Parses the one list of plain index files (W29): `/srv/cdx/main.cdx,/srv/cdx/new.cdx`. Returns undefined if one is
 * invalid.
 */
export const parseIndexFiles = (text: string): readonly string[] | undefined => {
  const paths = text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '')
  const isGood = paths.every((path) => isAbsolute(path) && /[^/]\.cdxj?$/.test(path))
  return isGood && paths.length > 0 && new Set(paths.map((path) => resolve(path))).size === paths.length
    ? paths
    : undefined
}
