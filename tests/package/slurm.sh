#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The array of jobs of docs/build_systems.md under Slurm, on one node of its own: the packs of a batch, byte for byte.
set -euo pipefail
for program in slurmctld slurmd sbatch; do
	command -v $program >/dev/null || { echo "SKIPPED: $program is not installed (Debian: slurm-wlm)"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "SKIPPED: Slurm's daemons want to be root"; exit 77; }
work=$(mktemp -d)
controller='' node=''
cleanup() {
	[ -z "$node" ] || kill "$node" 2>/dev/null || true
	[ -z "$controller" ] || kill "$controller" 2>/dev/null || true
	wait 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT
cd "$work"
. "$GEL_ROOT/tests/support/forty_assets.bash"
die() { echo "FAILED: $*" >&2; exit 1; }

# ---- a cluster of one, on addresses of this machine alone ----------------------------------------------------------
mkdir state spool
host=$(uname -n | cut -d. -f1)
port=$((20000 + $$ % 20000))
cat >slurm.conf <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/none
CredType=cred/none
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP OverSubscribe=FORCE:4
END
export SLURM_CONF=$work/slurm.conf
slurmctld -D >slurmctld.log 2>&1 &
controller=$!
slurmd -D >slurmd.log 2>&1 &
node=$!
make_forty_assets
for _ in $(seq 100); do [ "$(sinfo -h -o %t 2>/dev/null)" != idle ] || break; sleep 0.1; done
[ "$(sinfo -h -o %t 2>/dev/null)" = idle ] || { cat slurmctld.log slurmd.log; echo "SKIPPED: Slurm does not start here"; exit 77; }

# ---- the guide -----------------------------------------------------------------------------------------------------
export PATH=$GEL_BIN:$PATH
gel-bake --manifest bodies.json --jobs 2 --quiet
mv packs local
cp bodies.json ours.json
awk -v folder=. -f "$GEL_ROOT/tests/package/guide_blocks.awk" "$GEL_ROOT/docs/build_systems.md"
mv ours.json bodies.json
bash -e submit.sh >log 2>&1 || { cat log bodies-*.log slurmctld.log slurmd.log; die "submit.sh"; }
[ "$(find packs -name '*.gel' | wc -l)" -eq 40 ] || die "not forty packs: $(cat bodies-*.log)"
diff -r packs local || die "packs from Slurm have other bytes"
rm -rf packs
bash -e submit.sh >log 2>&1 || die "submit.sh, again"
cat bodies-*.log | awk '/ assets: / { cached += $5 } END { exit cached != 40 }' || die "not all from the cache: $(tail -n 1 -q bodies-*.log)"
diff -r packs local || die "packs from the cache have other bytes"
echo "Slurm: forty packs of four jobs, the same bytes; again, forty hits"
