#!/usr/bin/env bash
# Has LibreOffice, Chromium, wkhtmltopdf, Ghostscript and pandoc make their files of the corpus. Run it after make.py and make.mjs. See ../README.md.
set -euo pipefail
make=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$make")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

version() { "$@" 2>&1 | grep -oE '[0-9]+\.[0-9]+(\.[0-9]+)*' | head -n 1; }
python3 "$make/sources.py" "$work" \
  "libreoffice=LibreOffice $(version soffice --version)" "chromium=Chromium $(version chromium --version)" \
  "wkhtmltopdf=wkhtmltopdf $(version wkhtmltopdf --version)" "ghostscript=Ghostscript $(version gs --version)" "pandoc=pandoc $(version pandoc --version)"

# office FORMAT FILE NAME
office() {
  soffice --headless "-env:UserInstallation=file://$work/profile" --convert-to "$1" --outdir "$work/made" "$2" > "$work/log" 2>&1
  mv "$work/made/"* "$out/$3"
}
for language in en de ar zh; do
  office odt "$work/$language.fodt" "libreoffice-$language.odt"
  office docx "$work/$language.fodt" "libreoffice-$language.docx"
done
office pdf "$work/en.fodt" libreoffice-en.pdf
for name in openpyxl-numbers openpyxl-dates xlsxwriter-extras xlsxwriter-formulas; do office ods "$out/$name.xlsx" "libreoffice-${name#*-}.ods"; done
office xlsx "$out/exceljs-numbers.xlsx" libreoffice-numbers.xlsx
office xlsx "$out/openpyxl-dates.xlsx" libreoffice-dates.xlsx
office xlsx "$out/xlsxwriter-accounting.xlsx" libreoffice-accounting.xlsx
office odp "$out/python-pptx-en.pptx" libreoffice-en.odp
office pptx "$out/odfpy-pl.odp" libreoffice-pl.pptx

for language in en ar he; do
  chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --user-data-dir="$work/chromium" --print-to-pdf="$out/chromium-$language.pdf" "file://$work/$language.html" > "$work/log" 2>&1
done
for language in de ru; do QT_QPA_PLATFORM=offscreen wkhtmltopdf --quiet --page-size A5 "$work/$language.html" "$out/wkhtmltopdf-$language.pdf"; done

for language in en de; do gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile="$out/ghostscript-$language.pdf" "$work/$language.ps"; done
gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -dCompatibilityLevel=1.4 -sOutputFile="$out/ghostscript-ru.pdf" "$out/weasyprint-ru.pdf"
gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -dCompatibilityLevel=1.7 -sOutputFile="$out/ghostscript-es.pdf" "$out/fpdf2-es.pdf"

for language in en es ru hi; do pandoc "$work/$language.md" -o "$out/pandoc-$language.docx"; done
for language in en ru; do pandoc "$work/$language.md" -o "$out/pandoc-$language.odt"; done
for language in en ru; do pandoc --standalone --metadata title=- "$work/$language.md" -o "$out/pandoc-$language.html"; done
pandoc "$work/talk.md" -o "$out/pandoc-talk.pptx"
