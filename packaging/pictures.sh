#!/usr/bin/env bash
# Makes the README's pictures anew: the product draws its own window on a fresh demo store.
#   bash packaging/pictures.sh [FOLDER]          (default: resources/pictures)
set -euo pipefail
# shellcheck source=packaging/system.sh
source "$(dirname "${BASH_SOURCE[0]}")/system.sh"

folder=${1:-$ROOT/resources/pictures}
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

need_libraries QT_OFFSCREEN
need_environment ''
export QT_QPA_PLATFORM=offscreen

workbench() { "$VENV_PYTHON" -P -m workbench "$@"; }

workbench demo "$work" --no-open >/dev/null
store=$work/demo.db
for theme in light dark contrast; do
    workbench open "$store" --screenshot "$folder/window-$theme.png" --size 1600x900 \
        --theme "$theme" --language en --subject mira --attribute passport_deadline >/dev/null
    say "$folder/window-$theme.png"
done

first_conflict=$(workbench conflicts "$store" --tenant acme --json |
    "$VENV_PYTHON" -c 'import json, sys; print(json.loads(list(sys.stdin)[0])["conflict_id"])')
workbench open "$store" --screenshot "$folder/conflict-light.png" --size 1040x880 \
    --theme light --language en --conflict "$first_conflict" >/dev/null
say "$folder/conflict-light.png"
