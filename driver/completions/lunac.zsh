#compdef lunac
# What zsh completes lunac by: lunac itself knows what may follow.

local candidate rest
local -a plain prefixes
local program=${words[1]/#\~/$HOME}
[[ $PREFIX != --*=* ]] || compset -P '*='
while IFS=$'\t' read -r candidate rest; do
  case $candidate in
  (:files) _files -g "$rest" ;;
  (:folders) _files -/ ;;
  (*=) prefixes+=("$candidate:$rest") ;;
  (*) plain+=("$candidate:$rest") ;;
  esac
done < <($program complete "${(@)words[2,CURRENT]}" 2>/dev/null)
_describe lunac plain -- prefixes -S ''
