/* The setting `indexingSources`: `main=/srv/warcs,nas=https://host.example/files`. */

export interface NamedSource {
  readonly repository: string
  readonly location: string
}

/** As the server reads them; what is no source is left out. */
export const sourcesIn = (value: string): readonly NamedSource[] =>
  value.split(',').flatMap((one) => {
    const text = one.trim()
    const equals = text.indexOf('=')
    return equals < 1 ? [] : [{ repository: text.slice(0, equals), location: text.slice(equals + 1) }]
  })

export const settingOf = (sources: readonly NamedSource[]): string =>
  sources.map(({ repository, location }) => `${repository}=${location}`).join(',')

/** With one more; undefined if it is there already. */
export const withSource = (
  sources: readonly NamedSource[],
  { repository, location }: NamedSource,
): readonly NamedSource[] | undefined =>
  sources.some((one) => one.repository === repository && one.location === location)
    ? undefined
    : [...sources, { repository, location }]

/** Why a source cannot be one, with the field named; undefined: the server decides. */
export const whyNoSource = ({ repository, location }: NamedSource): string | undefined => {
  if (!/^[^,=\s/]+$/.test(repository))
    return 'Repository: is one word without commas, slashes and equals signs, such as main.'
  if (location.includes(',')) return 'Place: a place with a comma in its name cannot be a source.'
  if (!/^(\/|s3:\/\/|https?:\/\/)/.test(location))
    return 'Place: is a folder or a list (/srv/warcs), a bucket (s3://bucket/prefix), or the address of a list (https://host.example/files.txt).'
  return undefined
}
