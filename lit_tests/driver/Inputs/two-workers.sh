# Two workers that compile the same models at the same time and share a server
# alone; run by bench/servers.py. Says what was computed twice.
#   two-workers.sh LUNAC MODELS FOLDER
lunac=$1 models=$2
rm -rf "$3" && mkdir -p "$3" && cd "$3" || exit 1
"$lunac" cache make-key --cache-key=key
export LUNA_CACHE_MODE=read-write LUNA_CACHE_KEY=$PWD/key
sockets=$XDG_RUNTIME_DIR

# worker NAME: with a folder and a helper of its own.
worker() {
  mkdir -m 700 "$sockets/$1"
  XDG_RUNTIME_DIR=$sockets/$1 "$lunac" batch "$models" --run --jobs=1 \
    --cache=$1 --stats=$1.json >$1.txt
  XDG_RUNTIME_DIR=$sockets/$1 "$lunac" cache flush --cache=$1
}

worker one & worker two
wait
python3 - <<'PY'
import json
workers = [json.load(open(f"{name}.json")) for name in ("one", "two")]
totals = {key: sum(worker["cache"][key] for worker in workers)
          for key in ("found", "fetched", "missed", "stored")}
results = [[{key: result[key] for key in ("model", "exit_code", "stats")}
            for result in worker["results"]] for worker in workers]
print("same results" if results[0] == results[1] else "results differ")
print("failed:", workers[0]["failed"] + workers[1]["failed"])
print("fetched:", "some" if totals["fetched"] else "none")
print("stored:", totals["stored"])
PY
