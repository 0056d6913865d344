#!/usr/bin/env bash
# Brings the catalogues in resources/i18n up to date with the texts in workbench/, and compiles them:
#   bash packaging/translate.sh              every language that is there
#   bash packaging/translate.sh de           begin a language, by its two letters
#
# The .ts files are the source and are edited by hand or with Qt Linguist; what is new in them is
# marked as unfinished, what is gone from the code is dropped. The .qm files are made from them and
# are committed too, so that the program needs no tools to be installed. English stands in the code;
# its catalogue holds the plural forms only. tests/unit/workbench/test_catalogues.py says what is
# missing and what does not fit.
#
# A new language: begin its catalogue as above, translate all of it, run this again, and name it in
# `Settings.language` (workbench/settings.py) and among the actions `language.…` (workbench/actions.py).
set -euo pipefail
# shellcheck source=packaging/system.sh
source "$(dirname "${BASH_SOURCE[0]}")/system.sh"

folder=$ROOT/resources/i18n

need_environment ''
cd "$ROOT"
mkdir -p "$folder"

languages=(en "$@")
for catalogue in "$folder"/workbench_*.ts; do
    [ -e "$catalogue" ] || continue
    language=${catalogue##*/workbench_}
    languages+=("${language%.ts}")
done

for language in $(printf '%s\n' "${languages[@]}" | sort -u); do
    [[ $language =~ ^[a-z]{2,3}$ ]] || fail "'$language' is no language; write its letters, such as 'de'."
    catalogue=$folder/workbench_$language
    # Sorted and without line numbers, so that a change of the code changes only what it must.
    options=(-silent -no-obsolete -sort-messages -locations none -source-language en)
    if [ "$language" = en ]; then options+=(-pluralonly); fi
    "$VENV/bin/pyside6-lupdate" "${options[@]}" -target-language "$language" -extensions py \
        workbench -ts "$catalogue.ts"
    # Programs that run have the old one mapped into their memory: it is replaced, not overwritten.
    "$VENV/bin/pyside6-lrelease" -silent -nounfinished "$catalogue.ts" -qm "$catalogue.new"
    mv "$catalogue.new" "$catalogue.qm"
    unfinished=$(grep -c 'type="unfinished"' "$catalogue.ts" || true)
    say "workbench_$language: ${unfinished:-0} texts to translate"
done
