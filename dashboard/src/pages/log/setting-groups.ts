/* Settings by what they are about. */

const groups: readonly (readonly [title: string, beginnings: readonly string[]])[] = [
  ['Mail, notices and reports', ['mail', 'notices', 'reports', 'publicUrl']],
  ['Storage and ingest', ['ingest', 'ezid', 'chain']],
  ['Buckets', ['s3']],
  ['Indexing', ['indexing']],
  ['Research and media', ['research', 'media']],
  ['Personal values', ['personal']],
]

const others = 'Others'

const titleOf = (setting: string): string =>
  groups.find(([, beginnings]) => beginnings.some((one) => beginsWith(setting, one)))?.[0] ?? others

/** Whole words: `mediaHosts` is of `media`, not `mediation`. */
const beginsWith = (setting: string, one: string): boolean =>
  setting === one || (setting.startsWith(one) && !/[a-z]/.test(setting[one.length] ?? ''))

/** Groups in their order, each with what is in it; none is empty. */
export const inGroups = <One extends { readonly setting: string }>(
  settings: readonly One[],
): readonly { readonly title: string; readonly settings: readonly One[] }[] =>
  [...groups.map(([title]) => title), others]
    .map((title) => ({ title, settings: settings.filter(({ setting }) => titleOf(setting) === title) }))
    .filter((group) => group.settings.length > 0)
