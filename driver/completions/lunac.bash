# What bash completes lunac by: lunac itself knows what may follow.

_lunac() {
  local line=${COMP_LINE:0:COMP_POINT} word=${COMP_WORDS[COMP_CWORD]}
  local candidate rest
  local -a words
  read -ra words <<<"$line"
  [[ $line != *[[:space:]] ]] || words+=("")
  [[ $word != = ]] || word= # bash makes a word of it
  COMPREPLY=()
  while IFS=$'\t' read -r candidate rest; do
    case $candidate in
    :files) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY \
      < <(compgen -f -X "!$rest" -- "$word") ;;
    :folders) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY \
      < <(compgen -d -- "$word") ;;
    *)
      COMPREPLY+=("$candidate")
      continue
      ;;
    esac
    compopt -o filenames 2>/dev/null
  done < <("${words[0]/#\~/$HOME}" complete "${words[@]:1}" 2>/dev/null)
  [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
}

complete -F _lunac lunac
