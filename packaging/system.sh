# shellcheck shell=bash
# Set-up that run.sh, test.sh, bench.sh, pictures.sh and .ci/run share; to be sourced, not run.
#
#   need_libraries QT_OFFSCREEN      system libraries, installed by apt-get where they are missing
#   need_environment test            .venv with the package and an extra ('' for none)
#
# Quiet when nothing is to be done. $ROOT is the checkout, $VENV_PYTHON its interpreter.
# Read from outside: $PYTHON (the interpreter to build .venv with).

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
VENV=$ROOT/.venv
VENV_PYTHON=$VENV/bin/python
APT_IS_CURRENT=no

# What Qt loads, and the Debian and Ubuntu packages that bring it (newest name first).
# Looked up by library, not by package: a library may come another way.
QT_OFFSCREEN='
    libglib-2.0.so.0        libglib2.0-0t64 libglib2.0-0
    libGL.so.1              libgl1
    libEGL.so.1             libegl1
    libxkbcommon.so.0       libxkbcommon0
    libdbus-1.so.3          libdbus-1-3
    libfontconfig.so.1      libfontconfig1
'
# shellcheck disable=SC2034  # used by run.sh
QT_WINDOW=$QT_OFFSCREEN'
    libxcb-cursor.so.0      libxcb-cursor0
    libxcb-icccm.so.4       libxcb-icccm4
    libxcb-keysyms.so.1     libxcb-keysyms1
    libxcb-shape.so.0       libxcb-shape0
    libxcb-xkb.so.1         libxcb-xkb1
    libxkbcommon-x11.so.0   libxkbcommon-x11-0
'

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

can_be_root() {
    [ "$(id -u)" = 0 ] || { has sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; }
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

apt_update() {
    [ "$APT_IS_CURRENT" = yes ] && return
    apt_get update >/dev/null || fail 'apt-get update failed: see above.'
    APT_IS_CURRENT=yes
}

# The first of several names that apt can install here, else the last one.
apt_name() {
    local name
    for name in "$@"; do
        if [ -n "$(apt-cache madison "$name" 2>/dev/null)" ]; then break; fi
    done
    printf '%s\n' "$name"
}

# Installs packages; each argument is one package, or several names of it separated by spaces.
apt_install() {
    local names package
    local -a packages=()
    apt_update
    for names in "$@"; do
        # shellcheck disable=SC2086  # the names are words
        package=$(apt_name $names)
        packages+=("$package")
    done
    say "Installing system packages: ${packages[*]}"
    apt_get install -y --no-install-recommends "${packages[@]}" >/dev/null ||
        fail "apt-get could not install: ${packages[*]}"
}

need_libraries() {
    local present library names
    local -a missing=() missing_names=()
    [ "$(uname -s)" = Linux ] || return 0
    has ldconfig || PATH=$PATH:/sbin:/usr/sbin
    has ldconfig || return 0
    present=$(ldconfig -p)
    while read -r library names; do
        [ -n "$library" ] || continue
        # The library is followed by its kind in brackets: "libGL.so.1 (libc6,x86-64) => ...".
        case $present in
            *[[:space:]]"$library ("*) ;;
            *)
                missing+=("$names")
                missing_names+=("${names##* }")
                ;;
        esac
    done <<<"${!1}"
    [ ${#missing[@]} -gt 0 ] || return 0
    if ! has apt-get; then
        fail "Qt needs libraries that are not here; Debian names their packages: ${missing_names[*]}
Install them by this system's own package manager and run this again."
    fi
    if ! can_be_root; then
        fail "Qt needs system packages that are not installed, and this is neither root nor sudo. As root:
    apt-get update && apt-get install -y ${missing_names[*]}"
    fi
    apt_install "${missing[@]}"
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

# Sets BASE_PYTHON to an interpreter of 3.11 or newer that can make environments.
find_python() {
    local candidate version
    BASE_PYTHON=
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.{14..11} /usr/bin/python3; do
        if has "$candidate" && is_new_enough "$candidate"; then
            BASE_PYTHON=$(command -v "$candidate")
            break
        fi
    done
    if [ -z "$BASE_PYTHON" ] && ! has python3 && has apt-get && can_be_root; then
        apt_install python3 python3-venv
        if is_new_enough /usr/bin/python3; then BASE_PYTHON=/usr/bin/python3; fi
    fi
    if [ -z "$BASE_PYTHON" ]; then
        if ! has python3; then
            fail "Memory Workbench needs Python 3.11 or newer, and there is no python3 here. As root:
    apt-get update && apt-get install -y python3 python3-venv"
        fi
        fail "Memory Workbench needs Python 3.11 or newer, and here is $(python3 --version 2>&1).
Install a newer one beside it and name it: PYTHON=/path/to/python3.12 bash $0"
    fi
    if "$BASE_PYTHON" -c 'import ensurepip, venv' 2>/dev/null; then return; fi
    version=$("$BASE_PYTHON" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if ! has apt-get; then
        fail "$BASE_PYTHON cannot make environments: its modules venv and ensurepip are missing."
    elif ! can_be_root; then
        fail "$BASE_PYTHON cannot make environments, and this is neither root nor sudo. As root:
    apt-get update && apt-get install -y python$version-venv"
    fi
    apt_install "python$version-venv python3-venv"
}

# What an installation depends on: if this is unchanged, so is .venv.
fingerprint() {
    "$VENV_PYTHON" - "$ROOT" <<'PYTHON'
import hashlib, pathlib, sys
pyproject = pathlib.Path(sys.argv[1], "pyproject.toml").read_bytes()
print(hashlib.sha256(repr((pyproject, sys.version, sys.argv[1])).encode()).hexdigest())
PYTHON
}

# Makes .venv hold the package and the dependencies of an extra: '', test or dev.
need_environment() {
    local extra=$1 wanted stamp
    if ! { [ -x "$VENV_PYTHON" ] && is_new_enough "$VENV_PYTHON" &&
        "$VENV_PYTHON" -c 'import pip' 2>/dev/null; }; then
        find_python
        say "Making the virtual environment .venv with $BASE_PYTHON"
        "$BASE_PYTHON" -m venv --clear "$VENV" || fail "$BASE_PYTHON could not make $VENV."
    fi
    wanted=$(fingerprint)
    # dev holds test, and test holds the bare package.
    for stamp in dev test ''; do
        if [ "$(cat "$VENV/.installed-$stamp" 2>/dev/null)" = "$wanted" ]; then return; fi
        if [ "$stamp" = "$extra" ]; then break; fi
    done
    say "Installing memory-workbench${extra:+[$extra]} into .venv"
    "$VENV_PYTHON" -m pip install --quiet --quiet --disable-pip-version-check --no-input \
        --editable "$ROOT${extra:+[$extra]}" ||
        fail 'pip could not install the package and what it needs: see above.'
    printf '%s\n' "$wanted" >"$VENV/.installed-$extra"
}
