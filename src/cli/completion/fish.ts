import type { Place, Word } from './places.ts'
import { ownOptions, settingsOf, valuesOf, withContent } from './shell-text.ts'

/** A script for fish 3 and later. */
export const fishScript = (places: readonly Place[]): string => {
  const { settings, ofPlaces } = valuesOf(places)
  const words = (held: readonly Word[]) =>
    print(held.map(({ word, description }) => `${word}\t${description.replace(/\s+/g, ' ')}`))
  const values = ofPlaces.map(({ path, choices }) => ({
    path,
    content: choices.length > 0 ? print(choices) : 'true',
  }))
  return `# Completion of fonds for fish, made by: fonds completion fish
function __fonds_words
${switchOf(withContent(places, (place) => place.words, words))}
end
function __fonds_options
${switchOf(withContent(places, ownOptions, words))}
end
function __fonds_settings
    ${words(settingsOf(places[0]))}
end
# Fails where the option takes no value; else prints what it may be.
function __fonds_values
    set -l option (string split ' ' -- $argv[1])[-1]
    contains -- $option ${settings.join(' ')}; and return 0
${switchOf(values, 'return 1')}
    return 0
end
function __fonds_is_place
${switchOf(
  places.map(({ path }) => ({ path, content: 'return 0' })),
  'return 1',
)}
end
${walk}`
}

/** Fish knows two escapes between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const print = (lines: readonly string[]): string => `printf '%s\\n' ${lines.map(quoted).join(' ')}`

const switchOf = (
  cases: readonly { readonly path: string; readonly content: string }[],
  otherwise?: string,
): string =>
  [
    '    switch $argv[1]',
    ...[...Map.groupBy(cases, ({ content }) => content)].map(
      ([content, same]) =>
        `        case ${same.map(({ path }) => quoted(path)).join(' ')}\n            ${content}`,
    ),
    ...(otherwise === undefined ? [] : [`        case '*'\n            ${otherwise}`]),
    '    end',
  ].join('\n')

const walk = `function __fonds_complete
    set -l place fonds
    set -l option
    set -l given 0
    set -l typed (commandline -opc)
    for word in $typed[2..-1]
        if test -n "$option"
            set option
        else if string match -q -- '-*' $word
            if not string match -q -- '*=*' $word; and __fonds_values "$place $word" >/dev/null
                set option $word
            end
        else if __fonds_is_place "$place $word"
            set place "$place $word"
            set given 0
        else
            set given 1
        end
    end
    set -l cur (commandline -ct)
    set -l found
    if test -n "$option"
        set found (__fonds_values "$place $option")
    else if string match -q -- '-*' "$cur"
        set found (__fonds_options $place)
        string match -q -- "$cur*" $found; or set found (__fonds_settings)
    else
        set found (__fonds_words $place)
        # Fields may follow each other, other words may not.
        test $given = 1; and set found (string match -- '*=*' $found)
    end
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path "$cur"
    end
end
complete -c fonds -f -a '(__fonds_complete)'
`
