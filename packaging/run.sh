#!/usr/bin/env bash
# Opens the workbench on the demo store; arguments are passed on to the program:
#   bash packaging/run.sh
#   bash packaging/run.sh open my.db --screenshot window.png
# Sets itself up first: system libraries (Debian and Ubuntu), .venv, the package.
set -euo pipefail
# shellcheck source=packaging/system.sh
source "$(dirname "${BASH_SOURCE[0]}")/system.sh"

opens_window() {
    local argument
    case ${1-} in
        demo | open) ;;
        *) return 1 ;;
    esac
    for argument; do
        case $argument in
            --no-open | --screenshot | --screenshot=* | --help | --version) return 1 ;;
        esac
    done
}

has_display() {
    [ "$(uname -s)" != Linux ] ||
        [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}${QT_QPA_PLATFORM-}" ]
}

[ $# -gt 0 ] || set -- demo

if ! opens_window "$@"; then
    need_libraries QT_OFFSCREEN
    has_display || export QT_QPA_PLATFORM=offscreen
elif has_display; then
    need_libraries QT_WINDOW
else
    fail "No window can open: there is no display here (DISPLAY and WAYLAND_DISPLAY are not set).
Without a display the program can draw its window into a picture:
    bash packaging/run.sh demo /tmp/workbench --no-open
    bash packaging/run.sh open /tmp/workbench/demo.db --screenshot window.png"
fi
need_environment ''
# -P: a folder named store where this is called must not hide ours.
exec "$VENV_PYTHON" -P -m workbench "$@"
