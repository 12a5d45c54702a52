import type { Place, Word } from './places.ts'
import { casesOf, ownOptions, quoted, settingsOf, valuesOf, withContent } from './shell-text.ts'

/** A script for zsh: for a file `_fonds` in `$fpath`, or to be sourced. */
export const zshScript = (places: readonly Place[]): string => {
  const { settings, ofPlaces } = valuesOf(places)
  const values = ofPlaces.map(({ path, choices }) => ({ path, content: reply(choices.map(described)) }))
  const words = (held: readonly Word[]) => reply(held.map(described))
  return `#compdef fonds
# Completion of fonds for zsh, made by: fonds completion zsh
_fonds_words() {
${casesOf(
  withContent(places, (place) => place.words, words),
  'reply=()',
)}
}
_fonds_options() {
${casesOf(withContent(places, ownOptions, words), 'reply=()')}
}
_fonds_settings() { ${words(settingsOf(places[0]))}; }
# Fails where the option takes no value; else tells what it may be.
_fonds_values() {
  case " ${settings.join(' ')} " in *" \${1##* } "*) reply=(); return 0 ;; esac
${casesOf(values, 'return 1')}
}
_fonds_is_place() {
${casesOf(
  places.map(({ path }) => ({ path, content: 'return 0' })),
  'return 1',
)}
}
${walk}`
}

/** Zsh splits a word from its description at the first colon. */
const described = (held: Word | string): string =>
  typeof held === 'string'
    ? held.replaceAll(':', '\\:')
    : `${held.word.replaceAll(':', '\\:')}:${held.description.replace(/\s+/g, ' ')}`

const reply = (lines: readonly string[]): string => `reply=(${lines.map(quoted).join(' ')})`

const walk = `_fonds() {
  local i word cur=\${words[CURRENT]} place=fonds option= given=0
  local -a reply open fields
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $option ]]; then
      option=
    elif [[ $word == -* ]]; then
      [[ $word != *=* ]] && _fonds_values "$place $word" && option=$word
    elif _fonds_is_place "$place $word"; then
      place+=" $word"
      given=0
    else
      given=1
    fi
  done
  reply=()
  if [[ -n $option ]]; then
    _fonds_values "$place $option"
  elif [[ $cur == -* ]]; then
    _fonds_options "$place"
    open=(\${(M)reply:#\${cur}*})
    ((\${#open})) || _fonds_settings
  else
    _fonds_words "$place"
    # Fields may follow each other, other words may not.
    ((given)) && reply=(\${(M)reply:#*=*})
  fi
  fields=(\${(M)reply:#*=:*})
  open=(\${reply:#*=:*})
  if ((\${#reply} == 0)); then
    _files
    return
  fi
  ((\${#open})) && _describe -t words fonds open
  ((\${#fields})) && _describe -t fields field fields -S ''
  return 0
}
if [[ \${funcstack[1]} == _fonds ]]; then
  _fonds "$@"
elif (( $+functions[compdef] )); then
  compdef _fonds fonds
fi
`
