import type { Place, Word } from './places.ts'
import { casesOf, ownOptions, quoted, settingsOf, valuesOf, withContent } from './shell-text.ts'

/** A script for bash 3.2 and later. Where nothing of ours fits, readline completes names of files. */
export const bashScript = (places: readonly Place[]): string => {
  const { settings, ofPlaces } = valuesOf(places)
  const words = (held: readonly Word[]) => print(held.map(({ word }) => word))
  const values = ofPlaces.map(({ path, choices }) => ({
    path,
    content: choices.length > 0 ? print(choices) : ':',
  }))
  return `# Completion of fonds for bash, made by: fonds completion bash
_fonds_words() {
${casesOf(withContent(places, (place) => place.words, words))}
}
_fonds_options() {
${casesOf(withContent(places, ownOptions, words))}
}
_fonds_settings() { ${words(settingsOf(places[0]))}; }
# Fails where the option takes no value; else prints what it may be.
_fonds_values() {
  case " ${settings.join(' ')} " in *" \${1##* } "*) return 0 ;; esac
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

const print = (words: readonly string[]): string => `printf '%s\\n' ${words.map(quoted).join(' ')}`

const walk = `_fonds() {
  local i word cur path=fonds option= given=0 found= prefix=
  local -a line
  line=()
  COMPREPLY=()
  # Bash splits words at "=": how=repaired is one.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((\${#line[@]})) && [[ $word == =* || \${COMP_WORDS[i - 1]} == '=' ]] && [[ -n $word ]]; then
      line[\${#line[@]}-1]+=$word
    else
      line[\${#line[@]}]=$word
    fi
  done
  cur=\${line[\${#line[@]}-1]}
  for ((i = 0; i < \${#line[@]} - 1; i++)); do
    word=\${line[i]}
    if [[ $option ]]; then
      option=
    elif [[ $word == -* ]]; then
      [[ $word != *=* ]] && _fonds_values "$path $word" >/dev/null && option=$word
    elif _fonds_is_place "$path $word"; then
      path+=" $word"
      given=0
    else
      given=1
    fi
  done
  if [[ $option ]]; then
    found=$(_fonds_values "$path $option")
  elif [[ $cur == -* ]]; then
    found=$(_fonds_options "$path")
    [[ $'\\n'$found == *$'\\n'"$cur"* ]] || found=$(_fonds_settings)
  else
    found=$(_fonds_words "$path")
    # Fields may follow each other, other words may not.
    ((given)) && [[ $found != *=* ]] && found=
  fi
  # Readline replaces what stands behind the "=" alone.
  [[ $cur == *=* && $COMP_WORDBREAKS == *=* ]] && prefix=\${cur%%=*}=
  while IFS= read -r word; do
    [[ $word && $word == "$cur"* ]] && COMPREPLY[\${#COMPREPLY[@]}]=\${word#"$prefix"}
  done <<<"$found"
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _fonds fonds
`
