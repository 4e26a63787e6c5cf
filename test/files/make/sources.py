"""Writes the sources that make.sh has other programs convert, and says in expected.json what a person reads in what they make. See ../README.md."""

import json
import sys
from html import escape
from pathlib import Path

into = Path(sys.argv[1])
programs = dict(one.split('=', 1) for one in sys.argv[2:])
here = Path(__file__).parent
content = json.loads((here / 'content.json').read_text())
path = here.parent / 'expected.json'
known = json.loads(path.read_text()) if path.exists() else {}


def say(name, program, text, rows=()):
    known[name] = {'program': programs[program], 'text': '\n'.join(text), **({'rows': rows} if rows else {})}


def numbered(items, marks):
    return [f'{mark} {item}' for mark, item in zip(marks, items)]


def document(language):
    """A document of LibreOffice Writer in one file."""
    one = content[language]
    nested = ''.join(f'<text:list-item><text:p>{escape(item)}</text:p></text:list-item>' for item in one['inner'])
    items = [f'<text:list-item><text:p>{escape(item)}</text:p>' for item in one['items']]
    items[1] += f'<text:list>{nested}</text:list>'
    cells = ''.join(
        '<table:table-row>' + ''.join(f'<table:table-cell office:value-type="string"><text:p>{escape(cell)}</text:p></table:table-cell>' for cell in row) + '</table:table-row>'
        for row in one['table']
    )
    words, address = one['link']
    after_mark = (
        '<style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment '
        'text:label-followed-by="listtab" text:list-tab-stop-position="1.5cm" fo:margin-left="1.5cm" fo:text-indent="-0.8cm"/></style:list-level-properties>'
    )
    return f'''<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"
 office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">
<office:styles>
 <style:style style:name="Standard" style:family="paragraph"><style:text-properties style:font-name="DejaVu Sans" fo:font-family="'DejaVu Sans'"/></style:style>
 <text:list-style style:name="Steps">
  <text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix=")" text:start-value="4">{after_mark}</text:list-level-style-number>
  <text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=".">{after_mark}</text:list-level-style-number>
 </text:list-style>
</office:styles>
<office:automatic-styles>
 <style:page-layout style:name="page"><style:page-layout-properties fo:page-width="15cm" fo:page-height="21cm" fo:margin="1.5cm"/>
 <style:header-style/><style:footer-style/></style:page-layout>
 <style:style style:name="raised" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="page">
 <style:header><text:p>{escape(one['header'])}</text:p></style:header>
 <style:footer><text:p>{escape(one['footer'])} <text:page-number text:select-page="current">1</text:page-number></text:p></style:footer>
</style:master-page></office:master-styles>
<office:body><office:text>
<text:tracked-changes><text:changed-region text:id="gone"><text:deletion><office:change-info><dc:creator>Eve</dc:creator><dc:date>2026-11-01T10:00:00</dc:date></office:change-info>
 <text:p>deleted 555</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:h text:outline-level="1">{escape(one['title'])}</text:h>
<text:p>{escape(one['text'][0])}<text:note text:note-class="footnote" text:id="n1"><text:note-citation>1</text:note-citation><text:note-body><text:p>{escape(one['note'])}</text:p></text:note-body></text:note></text:p>
<text:list text:style-name="Steps">{'</text:list-item>'.join(items)}</text:list-item></text:list>
<table:table table:name="T"><table:table-column table:number-columns-repeated="3"/>{cells}</table:table>
<text:p><text:a xlink:type="simple" xlink:href="{escape(address)}">{escape(words)}</text:a></text:p><text:p><text:change text:change-id="gone"/></text:p>
<text:p><draw:frame draw:name="box" text:anchor-type="paragraph" svg:width="8cm" svg:height="2cm"><draw:text-box><text:p>{escape(one['text'][1])}</text:p></draw:text-box></draw:frame></text:p>
<text:p>A<text:tab/>76<text:s text:c="3"/>m<text:span text:style-name="raised">2</text:span></text:p>
</office:text></office:body></office:document>'''


def words_of_document(language):
    one = content[language]
    first, second, third = numbered(one['items'], ['4)', '5)', '6)'])
    inner = numbered(one['inner'], ['a.', 'b.'])
    return [one['title'], one['text'][0], one['note'], first, second, *inner, third, one['link'][0], one['text'][1], 'A 76 m²', one['header'], one['footer']]


for language in ('en', 'de', 'ar', 'zh'):
    (into / f'{language}.fodt').write_text(document(language))
    said, rows, link = words_of_document(language), content[language]['table'], content[language]['link'][1]
    say(f'libreoffice-{language}.odt', 'libreoffice', [*said, link], rows)
    say(f'libreoffice-{language}.docx', 'libreoffice', [*said, link], rows)
for language in ('en',):
    said = words_of_document(language)
    said[1] += '¹'
    say(f'libreoffice-{language}.pdf', 'libreoffice', [*said, *[cell for row in content[language]['table'] for cell in row]])

# What LibreOffice makes of another program's tables and slides says the same.
for source, made in (
    ('openpyxl-numbers.xlsx', 'libreoffice-numbers.ods'), ('openpyxl-dates.xlsx', 'libreoffice-dates.ods'), ('xlsxwriter-extras.xlsx', 'libreoffice-extras.ods'),
    ('xlsxwriter-formulas.xlsx', 'libreoffice-formulas.ods'), ('exceljs-numbers.xlsx', 'libreoffice-numbers.xlsx'), ('openpyxl-dates.xlsx', 'libreoffice-dates.xlsx'),
    ('xlsxwriter-accounting.xlsx', 'libreoffice-accounting.xlsx'), ('python-pptx-en.pptx', 'libreoffice-en.odp'), ('odfpy-pl.odp', 'libreoffice-pl.pptx'),
):
    if source in known:
        known[made] = {**known[source], 'program': programs['libreoffice']}

# --- Chromium, wkhtmltopdf ---


def page(language, direction='ltr'):
    one = content[language]
    cells = ''.join('<tr>' + ''.join(f'<td>{escape(cell)}</td>' for cell in row) + '</tr>' for row in one['table'])
    items = ''.join(f'<li>{escape(item)}</li>' for item in one['items'])
    return (
        f'<!DOCTYPE html><html lang="{language}" dir="{direction}"><meta charset="utf-8"><style>body{{font:10pt "DejaVu Sans","IPAGothic","WenQuanYi Zen Hei"}}div{{columns:2}}</style>'
        f'<h1>{escape(one["title"])}</h1><div><p>{escape(one["text"][0])}</p><p>{escape(one["text"][1])}</p></div><ol start="7">{items}</ol><table>{cells}</table>'
        f'<p><a href="{escape(one["link"][1])}">{escape(one["link"][0])}</a> &ndash; {escape(one["note"])}</p></html>'
    )


def words_of_page(language):
    one = content[language]
    cells = [cell for row in one['table'] for cell in row]
    return [one['title'], *one['text'], *numbered(one['items'], ['7.', '8.', '9.']), *cells, one['link'][0], one['note']]


for language in ('en', 'de', 'ru', 'ar', 'he'):
    (into / f'{language}.html').write_text(page(language, 'rtl' if language in ('ar', 'he') else 'ltr'))
for language in ('en', 'ar', 'he'):
    say(f'chromium-{language}.pdf', 'chromium', words_of_page(language))
for language in ('de', 'ru'):
    say(f'wkhtmltopdf-{language}.pdf', 'wkhtmltopdf', words_of_page(language))

# --- Ghostscript ---

latin = {'en': ['The rent is 950.50 EUR a month.', 'Meter 48213, floor 4, 12 % off.'], 'de': ['Die Größe ändert sich um 8 %.', 'Übergabe am 14.09.2026 für 1.234,50 EUR.']}
for language, lines in latin.items():
    shown = '\n'.join(f'40 {500 - at * 30} moveto ({line}) show' for at, line in enumerate(lines))
    (into / f'{language}.ps').write_bytes(
        f'''%!PS
/Helvetica findfont dup length dict begin {{1 index /FID ne {{def}} {{pop pop}} ifelse}} forall /Encoding ISOLatin1Encoding def currentdict end /Latin exch definefont pop
/Latin findfont 14 scalefont setfont
{shown}
/Latin findfont 10 scalefont setfont 40 300 moveto 3 {{(kerned 55 ) show 1 0 rmoveto}} repeat
showpage
40 500 moveto (Page two, 20 lines) show showpage
'''.encode('latin-1')
    )
    say(f'ghostscript-{language}.pdf', 'ghostscript', [*lines, *['kerned 55'] * 3, 'Page two, 20 lines'])
for source, made in (('weasyprint-ru.pdf', 'ghostscript-ru.pdf'), ('fpdf2-es.pdf', 'ghostscript-es.pdf')):
    known[made] = {**known[source], 'program': programs['ghostscript']}

# --- pandoc ---


def markdown(language):
    one = content[language]
    table = '\n'.join('| ' + ' | '.join(row) + ' |' + ('\n|---|---|---|' if at == 0 else '') for at, row in enumerate(one['table']))
    first, second, third = one['items']
    return f'''# {one['title']}

{one['text'][0]}^[{one['note']}]

1. {first}
2. {second}
    a) {one['inner'][0]}
    b) {one['inner'][1]}
3. {third}

{one['text'][1]}

(5) {first}
(6) {third}

- {one['inner'][0]}

{table}

[{one['link'][0]}]({one['link'][1]}) 10^2^ H~2~O
'''


for language in ('en', 'es', 'ru', 'hi'):
    one = content[language]
    (into / f'{language}.md').write_text(markdown(language))
    first, second, third = one['items']
    said = [
        one['title'], one['text'][0], one['note'], f'1. {first}', f'2. {second}', f'a) {one["inner"][0]}', f'b) {one["inner"][1]}', f'3. {third}', one['text'][1],
        f'(5) {first}', f'(6) {third}', one['inner'][0], *one['link'], '10² H₂O',
    ]
    say(f'pandoc-{language}.docx', 'pandoc', said, one['table'])
    if language in ('en', 'ru'):
        say(f'pandoc-{language}.odt', 'pandoc', said, one['table'])
for language in ('en', 'ru'):
    one = content[language]
    # A page of HTML has no marks with brackets.
    first, second, third = one['items']
    said = [
        one['title'], one['text'][0] + '¹', f'1. {one["note"]}↩︎', f'1. {first}', f'2. {second}', f'a. {one["inner"][0]}', f'b. {one["inner"][1]}', f'3. {third}', one['text'][1],
        f'5. {first}', f'6. {third}', one['inner'][0], *one['link'], '10² H₂O',
    ]
    say(f'pandoc-{language}.html', 'pandoc', said, one['table'])
(into / 'talk.md').write_text(
    '# Plan for 2027\n\n## First slide 1\n\n1. Buy 3 pots\n2. Sell 4 cups\n\n::: notes\n\nSpeak for 90 seconds.\n\n:::\n\n## Second slide 2\n\n| Day | Sum |\n|---|---|\n| May | 12.5 |\n\n[The terms](https://example.org/terms?v=9)\n'
)
say(
    'pandoc-talk.pptx', 'pandoc',
    ['Plan for 2027', 'First slide 1', '1. Buy 3 pots', '2. Sell 4 cups', 'Speak for 90 seconds.', 'Second slide 2', 'The terms', 'https://example.org/terms?v=9'],
    [['Day', 'Sum'], ['May', '12.5']],
)
path.write_text(json.dumps(dict(sorted(known.items())), ensure_ascii=False, indent=1) + '\n')
