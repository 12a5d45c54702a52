import type { Place, Word } from './places.ts'

/* Parts that the scripts of all shells share. */

/** Quotes a text so that a shell takes it literally. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns lines of bash or zsh: for each path a case, paths with equal content in one. */
export const casesOf = (
  cases: readonly { readonly path: string; readonly content: string }[],
  otherwise?: string,
): string =>
  [
    '  case $1 in',
    ...[...Map.groupBy(cases, ({ content }) => content)].map(
      ([content, same]) => `    ${same.map(({ path }) => quoted(path)).join('|')}) ${content} ;;`,
    ),
    ...(otherwise === undefined ? [] : [`    *) ${otherwise} ;;`]),
    '  esac',
  ].join('\n')

/** Returns every option with a value: `fonds query --format`, and its choices, if there are any. */
export const valuesOf = (places: readonly Place[]) => {
  const [root, ...others] = places
  const settings = new Set(settingsOf(root).map(({ word }) => word))
  return {
    settings: [...settings],
    ofPlaces: [root, ...others].flatMap((place) =>
      (place?.options ?? [])
        .filter(({ takesValue, word }) => takesValue && !settings.has(word))
        .map(({ word, choices }) => ({ path: `${place?.path} ${word}`, choices })),
    ),
  }
}

/** Returns the options of every command: those of the root that take a value. */
export const settingsOf = (root: Place | undefined) =>
  (root?.options ?? []).filter(({ takesValue }) => takesValue)

/** Returns the options that belong to a place only. */
export const ownOptions = ({ path, options }: Place): readonly Word[] =>
  path.includes(' ') ? options : options.filter(({ takesValue }) => !takesValue)

export const withContent = <Held>(
  places: readonly Place[],
  of: (place: Place) => readonly Held[],
  line: (held: readonly Held[]) => string,
): readonly { readonly path: string; readonly content: string }[] =>
  places
    .map((place) => ({ path: place.path, held: of(place) }))
    .filter(({ held }) => held.length > 0)
    .map(({ path, held }) => ({ path, content: line(held) }))
