#!/usr/bin/env bash
# Runs a benchmark of tests/bench; further arguments are passed on to it:
#   bash packaging/bench.sh store
set -euo pipefail
# shellcheck source=packaging/system.sh
source "$(dirname "${BASH_SOURCE[0]}")/system.sh"

names=()
for script in "$ROOT"/tests/bench/bench_*.py; do
    [ -e "$script" ] || continue
    script=${script##*/bench_}
    names+=("${script%.py}")
done
usage="Name a benchmark: bash packaging/bench.sh NAME [ARGUMENTS]; NAME is one of: ${names[*]-}"

[ $# -gt 0 ] || fail "$usage"
script=$ROOT/tests/bench/bench_$1.py
[ -e "$script" ] || fail "There is no benchmark '$1'. $usage"
shift

need_libraries QT_OFFSCREEN
need_environment test
cd "$ROOT"
export QT_QPA_PLATFORM=${QT_QPA_PLATFORM-offscreen}
exec "$VENV_PYTHON" "$script" "$@"
