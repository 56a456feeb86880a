# luna-plan beside a server, in a database of its own; run by bench/servers.py:
#   shared-plan.sh LUNAC LUNA-PLAN FOLDER
lunac=$1 plan=$2
rm -rf "$3" && mkdir -p "$3" && cd "$3" || exit 1
export LUNA_CACHE_REMOTE=$LUNA_CACHE_REMOTE/3 LUNA_CACHE_LOG=$PWD/log
printf 'id,lower,upper,size\na,0,2,64\nb,1,3,32\nc,2,4,64\n' >a.csv
LUNA_CACHE_MODE=read-write $plan a.csv --cache=one -o one.csv
LUNA_CACHE_MODE=read-write $lunac cache flush --cache=one
$plan a.csv --cache=two -o two.csv
LUNA_CACHE_REMOTE=${LUNA_CACHE_REMOTE%3}4 $plan a.csv --cache=three -o three.csv
cmp one.csv two.csv && cmp one.csv three.csv
cut -d- -f1 log
