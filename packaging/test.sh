#!/usr/bin/env bash
# Runs the whole test suite, offscreen; arguments are passed on to pytest:
#   bash packaging/test.sh
#   bash packaging/test.sh tests/unit -k period
# Sets itself up first: system libraries (Debian and Ubuntu), .venv, the package.
set -euo pipefail
# shellcheck source=packaging/system.sh
source "$(dirname "${BASH_SOURCE[0]}")/system.sh"

need_libraries QT_OFFSCREEN
need_environment test
cd "$ROOT"
export QT_QPA_PLATFORM=offscreen
exec "$VENV_PYTHON" -m pytest "$@"
