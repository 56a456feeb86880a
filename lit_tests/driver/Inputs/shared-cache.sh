# What workers get that share a server alone; run by bench/servers.py:
#   shared-cache.sh LUNAC MODEL FOLDER
lunac=$1 model=$2
rm -rf "$3" && mkdir -p "$3" && cd "$3" || exit 1
export LUNA_CACHE=off

# run NAME OPTION…: runs the model, says whether it was compiled, and compares
# what it prints and writes with that of the first.
run() {
  name=$1
  shift
  "$lunac" run "$model" --random-input=1 --check --stats=$name.json \
    --output=$name.out --verbose "$@" >$name.txt 2>$name.err || echo "$name failed"
  grep -q "planning memory" $name.err && what=compiled || what="not compiled"
  diff -q off.txt $name.txt && diff -q off.json $name.json &&
    diff -qr off.out $name.out && echo "$name: $what"
}

"$lunac" cache make-key --cache-key=ours && "$lunac" cache make-key --cache-key=theirs
ci="--cache-mode=read-write --cache-key=ours"
run off
run ci --cache=ci $ci
"$lunac" cache flush --cache=ci $ci && echo flushed
run trusting --cache=trusting --cache-trust=ours.pub
run again --cache=trusting --cache-remote=redis://127.0.0.1:1
run believing-nothing --cache=nothing
run trusting-others --cache=others --cache-trust=theirs.pub
"$lunac" cache stats --cache=nothing | grep -E "plan|remote"

# Nothing is stored by those who read only.
add_comment() {
  mkdir $1 && (cat "$model"; echo "// $1") >$1/${model##*/}
  model=$1/${model##*/}
}
add_comment reader
run reader --cache=reader --cache-trust=ours.pub
"$lunac" cache flush --cache=reader --cache-trust=ours.pub
run late-reader --cache=late --cache-trust=ours.pub

# Without a signature nobody takes what is executed.
add_comment unsigned
run unsigned --cache=unsigned --cache-mode=read-write
"$lunac" cache flush --cache=unsigned --cache-mode=read-write
run believing --cache=believing --cache-trust=ours.pub

# A folder that others can write: what is signed is trusted, nothing else.
unset LUNA_CACHE_REMOTE
mkdir folder && chmod 777 folder
run into-folder --cache=folder --cache-key=ours
run from-folder --cache=folder --cache-trust=ours.pub
run from-folder-without-keys --cache=folder

# Servers that are not there.
run down --cache=down --cache-remote=redis://127.0.0.1:1 $ci
run down-http --cache=down-http --cache-remote=http://127.0.0.1:1 $ci
"$lunac" cache stats --cache=down --cache-remote=redis://127.0.0.1:1 | grep remote
