import { isAbsolute, resolve } from 'node:path'

/** The one list of plain index files (W29): `/srv/cdx/main.cdx,/srv/cdx/new.cdx`. Undefined where one cannot be. */
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
