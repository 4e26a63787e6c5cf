"""Makes the files of the corpus that Python's programs write, and says in expected.json what a person reads in them. See ../README.md."""

import datetime as d
import io
import json
import sys
import zipfile
from email.header import Header
from email.message import EmailMessage
from email.mime.text import MIMEText
from importlib.metadata import version
from pathlib import Path

here = Path(__file__).parent
out = here.parent
content = json.loads((here / 'content.json').read_text())
numbers = json.loads((here / 'numbers.json').read_text())
entries = {}


def say(name, program, text, rows=()):
    """Notes what a person reads in a file: its words, and the rows of its tables."""
    distribution = program.split(' ')[0]
    known = '.'.join(map(str, sys.version_info[:3])) if distribution == 'Python' else version(distribution)
    entries[name] = {'program': f'{program} {known}', 'text': '\n'.join(text)}
    if rows:
        entries[name]['rows'] = [[str(cell) for cell in row] for row in rows]


# --- Word ---

from docx import Document
from docx.enum.text import WD_BREAK
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.opc.constants import RELATIONSHIP_TYPE


def slim(doc):
    """Takes out what a template has and nobody reads."""
    large = ('thumbnail', 'stylesWithEffects', 'customXml', 'theme')
    for part in (doc.part.package, doc.part):
        for id, relation in [*part.rels.items()]:
            if any(word in relation.reltype for word in large):
                part.rels.pop(id)
    used = {'Normal', 'Heading 1', 'Default Paragraph Font', 'Normal Table', 'Header', 'Footer', 'No List'}
    for style in [*doc.styles]:
        if style.name not in used and not style.name.startswith('List '):
            style.delete()


def add_link(paragraph, words, address):
    id = paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link = OxmlElement('w:hyperlink')
    link.set(qn('r:id'), id)
    run = OxmlElement('w:r')
    run.text = words
    link.append(run)
    paragraph._p.append(link)


def word(language):
    one = content[language]
    doc = Document()
    doc.add_heading(one['title'], 1)
    for text in one['text']:
        doc.add_paragraph(text)
    for item in one['items']:
        doc.add_paragraph(item, style='List Number')
    for item in one['inner']:
        doc.add_paragraph(item, style='List Bullet')
    table = doc.add_table(len(one['table']), 3)
    for row, cells in enumerate(one['table']):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    add_link(doc.add_paragraph(), *one['link'])
    noted = doc.add_paragraph(one['items'][0])
    doc.add_comment(noted.runs, text=one['note'], author='Eve', initials='E')
    doc.sections[0].header.paragraphs[0].text = one['header']
    doc.sections[0].footer.paragraphs[0].text = one['footer']
    slim(doc)
    doc.save(out / f'python-docx-{language}.docx')
    numbered = [f'{at + 1}. {item}' for at, item in enumerate(one['items'])]
    said = [one['title'], *one['text'], *numbered, *one['inner'], *one['link'], one['items'][0], 'Eve', one['note']]
    say(f'python-docx-{language}.docx', 'python-docx', [*said, one['header'], one['footer']], one['table'])


for language in ('en', 'de', 'es', 'el', 'ru', 'ar', 'zh', 'hi'):
    word(language)


def word_forms():
    """Merged cells, breaks, tabs, raised digits, and the fields of forms."""
    doc = Document()
    table = doc.add_table(3, 3)
    table.cell(0, 0).merge(table.cell(0, 2)).text = 'All rooms of 2026'
    table.cell(1, 0).merge(table.cell(2, 0)).text = 'Kitchen'
    for at, text in enumerate(['12.5', '13.0']):
        table.cell(1, at + 1).text = text
    for at, text in enumerate(['14.25', '15.75']):
        table.cell(2, at + 1).text = text
    line = doc.add_paragraph('Before')
    line.add_run().add_break(WD_BREAK.LINE)
    line.add_run('after\tthe tab: 77')
    raised = doc.add_paragraph('An area of 64 m')
    raised.add_run('2').font.superscript = True
    hyphens = doc.add_paragraph()
    for text, mark in (('Donau', 'w:softHyphen'), ('dampf, e', 'w:noBreakHyphen'), ('mail 31', None)):
        run = hyphens.add_run(text)
        if mark:
            run._r.append(OxmlElement(mark))
    for label, is_ticked in (('Pets allowed', True), ('Smoking allowed', False)):
        paragraph = doc.add_paragraph()
        for kind in ('begin', 'separate', 'end'):
            run = paragraph.add_run()
            char = OxmlElement('w:fldChar')
            char.set(qn('w:fldCharType'), kind)
            run._r.append(char)
            if kind == 'begin':
                data, box, checked = (OxmlElement(f'w:{name}') for name in ('ffData', 'checkBox', 'checked'))
                checked.set(qn('w:val'), '1' if is_ticked else '0')
                box.append(checked)
                data.append(box)
                char.append(data)
                instruction = OxmlElement('w:instrText')
                instruction.text = ' FORMCHECKBOX '
                paragraph.add_run()._r.append(instruction)
        paragraph.add_run(f' {label}')
    slim(doc)
    doc.save(out / 'python-docx-forms.docx')
    text = ['Before', 'after the tab: 77', 'An area of 64 m²', 'Donaudampf, e-mail 31', '[x] Pets allowed', '[ ] Smoking allowed']
    rows = [['All rooms of 2026'], ['Kitchen', '12.5', '13.0'], ['14.25', '15.75']]
    say('python-docx-forms.docx', 'python-docx', text, rows)


word_forms()

# --- Excel ---

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
import xlsxwriter

dates = [
    (d.date(2026, 3, 1), 'dd/mm/yyyy', '2026-03-01'),
    (d.date(2025, 12, 31), 'd. mmmm yyyy', '2025-12-31'),
    (d.datetime(2026, 7, 4, 18, 30), 'm/d/yy h:mm AM/PM', '2026-07-04 18:30:00'),
    (d.timedelta(hours=42, minutes=30), '[h]:mm', '42:30:00'),
    (d.time(6, 45), 'h:mm', '06:45:00'),
]
alike = ['007', '1/2', '3-4', '+49 30 1234567', '12345678901234567', '1e5', '0x1F', '50 %']


def openpyxl_numbers():
    book = Workbook()
    sheet = book.active
    sheet.title = 'Numbers'
    for row, (value, code, _) in enumerate(numbers, 1):
        sheet.cell(row, 1, f'row {row}')
        sheet.cell(row, 2, value).number_format = code
    book.save(out / 'openpyxl-numbers.xlsx')
    say('openpyxl-numbers.xlsx', 'openpyxl', ['Numbers'], [[f'row {at}', shown] for at, (*_, shown) in enumerate(numbers, 1)])


def openpyxl_dates(from1904):
    book = Workbook()
    if from1904:
        from openpyxl.utils.datetime import CALENDAR_MAC_1904
        book.epoch = CALENDAR_MAC_1904
    sheet = book.active
    for row, (value, code, _) in enumerate(dates, 1):
        sheet.cell(row, 1, f'date {row}')
        sheet.cell(row, 2, value).number_format = code
    name = f'openpyxl-dates{"-1904" if from1904 else ""}.xlsx'
    book.save(out / name)
    say(name, 'openpyxl', ['Sheet'], [[f'date {at}', shown] for at, (*_, shown) in enumerate(dates, 1)])


def openpyxl_story(language):
    one = content[language]
    book = Workbook()
    sheet = book.active
    sheet.title = one['table'][0][0]
    for row in one['table']:
        sheet.append(row)
    sheet['A1'].comment = Comment(one['note'], 'Eve')
    sheet.merge_cells('A5:C5')
    sheet['A5'] = one['title']
    sheet['A6'] = CellRichText(TextBlock(InlineFont(b=True), one['items'][0]), ' 2040')
    sheet['A7'] = one['link'][0]
    sheet['A7'].hyperlink = one['link'][1]
    other = book.create_sheet('Other')
    for at, text in enumerate(one['text']):
        other.cell(at + 1, at + 2, text)
    book.save(out / f'openpyxl-{language}.xlsx')
    text = [sheet.title, 'Other', one['note'], one['link'][1]]
    rows = [*one['table'], [one['title']], [f"{one['items'][0]} 2040"], [one['link'][0]], *[[text] for text in one['text']]]
    say(f'openpyxl-{language}.xlsx', 'openpyxl', text, rows)


openpyxl_numbers()
openpyxl_dates(False)
openpyxl_dates(True)
for language in ('en', 'es', 'ru', 'he', 'ja'):
    openpyxl_story(language)


def xlsxwriter_book(name, fill, options=None):
    book = xlsxwriter.Workbook(out / name, options or {})
    text, rows = fill(book)
    book.close()
    say(name, 'xlsxwriter', text, rows)


def writer_numbers(book):
    sheet = book.add_worksheet('Werte')
    for row, (value, code, _) in enumerate(numbers):
        sheet.write_number(row, 0, value, book.add_format({'num_format': code}))
        sheet.write_string(row, 1, f'Zeile {row + 1}')
    return ['Werte'], [[shown, f'Zeile {at}'] for at, (*_, shown) in enumerate(numbers, 1)]


def writer_formulas(book):
    sheet = book.add_worksheet('Sums')
    for row, (what, value) in enumerate([('Rent', 950.5), ('Water', 81.2), ('Power', 64)]):
        sheet.write(row, 0, what)
        sheet.write(row, 1, value)
    sheet.write_formula('B4', '=SUM(B1:B3)', book.add_format({'num_format': '#,##0.00'}), 1095.7)
    sheet.write_formula('C4', '=IF(B4>1000,"high","low")', None, 'high')
    sheet.write_formula('D4', '=B4/0', None, '#DIV/0!')
    sheet.write_formula('E4', '=B4>5', None, 'TRUE')
    sheet.write_formula('B5', '=B4/12', book.add_format({'num_format': '0.0%'}), 0.913)
    return ['Sums'], [['Rent', '950.5'], ['Water', '81.2'], ['Power', '64'], ['1,095.70', 'high', '#DIV/0!', 'TRUE'], ['91.3%']]


def writer_alike(book):
    sheet = book.add_worksheet('Codes')
    for row, text in enumerate(alike):
        sheet.write_string(row, 0, text)
    sheet.write_boolean(len(alike), 0, False)
    sheet.write_number(len(alike) + 1, 0, 1e21)
    sheet.write_number(len(alike) + 2, 0, 1.5e-9)
    sheet.write_number(len(alike) + 3, 0, 1234567.875)
    rows = [[one] for one in [*alike, 'FALSE', '1E+21', '1.5E-09', '1234567.875']]
    return ['Codes'], rows


def writer_extras(book):
    sheet = book.add_worksheet('Tagebuch 2026')
    hidden = book.add_worksheet('Verborgen')
    hidden.hide()
    hidden.write(0, 0, 'Versteckter Wert 815')
    sheet.merge_range('A1:C1', 'Übersicht für das Haus 9')
    sheet.write_rich_string('A2', book.add_format({'bold': True}), 'Groß', ' und ', book.add_format({'italic': True}), 'klein 14')
    sheet.write_url('A3', 'https://example.org/haus?nr=9', None, 'Seite des Hauses')
    sheet.write_comment('B2', 'Bitte prüfen bis 17 Uhr', {'author': 'Jörg'})
    sheet.insert_textbox('E2', 'Notiz im Textfeld 606')
    sheet.write('A4', 'Zeile\nUmbruch 33', book.add_format({'text_wrap': True}))
    sheet.write('P5', 'weit rechts 26')
    sheet.set_header('&LKopf 5&RSeite &P')
    text = ['Tagebuch 2026', 'Verborgen', 'https://example.org/haus?nr=9', 'Bitte prüfen bis 17 Uhr', 'Notiz im Textfeld 606']
    rows = [['Übersicht für das Haus 9'], ['Groß und klein 14'], ['Seite des Hauses'], ['Zeile Umbruch 33'], ['weit rechts 26'], ['Versteckter Wert 815']]
    return text, rows


def writer_accounting(book):
    sheet = book.add_worksheet('Konto')
    codes = [
        (1234.5, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', '$ 1,234.50'),
        (-20, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', '$ (20.00)'),
        (0, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', '$ -'),
        (3.5, '_-* #,##0.00\\ "€"_-', '3.50 €'),
        (0.125, '##0.0%', '12.5%'),
        (1e6, '#,##0.00 [$CHF]', '1,000,000.00 CHF'),
        (2026, '@', '2026'),
        (38.2, '0.0"°C"', '38.2°C'),
        (-7.5, '+0.0;-0.0;0', '-7.5'),
        (7.5, '+0.0;-0.0;0', '+7.5'),
    ]
    for row, (value, code, _) in enumerate(codes):
        sheet.write_number(row, 1, value, book.add_format({'num_format': code}))
    return ['Konto'], [[shown] for *_, shown in codes]


xlsxwriter_book('xlsxwriter-numbers.xlsx', writer_numbers)
xlsxwriter_book('xlsxwriter-formulas.xlsx', writer_formulas)
xlsxwriter_book('xlsxwriter-alike.xlsx', writer_alike)
xlsxwriter_book('xlsxwriter-extras.xlsx', writer_extras)
xlsxwriter_book('xlsxwriter-accounting.xlsx', writer_accounting)
for language in ('pl', 'el', 'ar', 'zh'):
    def story(book, one=content[language]):
        sheet = book.add_worksheet(one['table'][0][1])
        for row, cells in enumerate(one['table']):
            for column, cell in enumerate(cells):
                sheet.write_string(row, column, cell)
        sheet.write_string(5, 1, one['text'][0])
        return [sheet.name], [*one['table'], [one['text'][0]]]
    xlsxwriter_book(f'xlsxwriter-{language}.xlsx', story, {'constant_memory': True})

# --- PowerPoint ---

from pptx import Presentation
from pptx.util import Inches


def slides(language):
    one = content[language]
    talk = Presentation()
    first = talk.slides.add_slide(talk.slide_layouts[1])
    first.shapes.title.text = one['title']
    body = first.placeholders[1].text_frame
    body.text = one['items'][0]
    for at, item in enumerate([*one['items'][1:], *one['inner']]):
        paragraph = body.add_paragraph()
        paragraph.text = item
        paragraph.level = 0 if at < 2 else 1
    first.notes_slide.notes_text_frame.text = one['note']
    second = talk.slides.add_slide(talk.slide_layouts[5])
    second.shapes.title.text = one['header']
    table = second.shapes.add_table(3, 3, 0, 0, Inches(4), Inches(2)).table
    for row, cells in enumerate(one['table']):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    group = second.shapes.add_group_shape()
    box = group.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame
    box.text = one['text'][0]
    run = box.add_paragraph().add_run()
    run.text, run.hyperlink.address = one['link']
    used = {slide.slide_layout.name for slide in talk.slides}
    for layout in [*talk.slide_layouts]:
        if layout.name not in used:
            talk.slide_layouts.remove(layout)
    for id, relation in [*talk.part.package._rels.items()]:
        if 'thumbnail' in relation.reltype:
            talk.part.package._rels.pop(id)
    name = f'python-pptx-{language}.pptx'
    talk.save(out / name)
    said = [one['title'], *one['items'], *one['inner'], one['note'], one['header'], one['text'][0], *one['link']]
    say(name, 'python-pptx', said, one['table'])


for language in ('en', 'de', 'he', 'ja'):
    slides(language)

# --- OpenDocument ---

from odf import dc, draw, office, presentation, style, table as odf_table, text as odf_text
from odf.opendocument import OpenDocumentPresentation, OpenDocumentSpreadsheet, OpenDocumentText


def odt(language, number_format, suffix):
    one = content[language]
    doc = OpenDocumentText()
    list_style = odf_text.ListStyle(name='Steps')
    list_style.addElement(odf_text.ListLevelStyleNumber(level=1, numformat=number_format, numsuffix=suffix))
    list_style.addElement(odf_text.ListLevelStyleNumber(level=2, numformat='1', numsuffix='.', displaylevels=2))
    doc.automaticstyles.addElement(list_style)
    add = doc.text.addElement
    add(odf_text.H(outlinelevel=1, text=one['title']))
    for text in one['text']:
        add(odf_text.P(text=text))
    numbered = odf_text.List(stylename='Steps')
    for at, item in enumerate(one['items']):
        entry = odf_text.ListItem()
        entry.addElement(odf_text.P(text=item))
        if at == 1:
            inner = odf_text.List()
            for words in one['inner']:
                nested = odf_text.ListItem()
                nested.addElement(odf_text.P(text=words))
                inner.addElement(nested)
            entry.addElement(inner)
        numbered.addElement(entry)
    add(numbered)
    table = odf_table.Table(name='Table')
    table.addElement(odf_table.TableColumn(numbercolumnsrepeated=3))
    for cells in one['table']:
        row = odf_table.TableRow()
        for words in cells:
            cell = odf_table.TableCell()
            cell.addElement(odf_text.P(text=words))
            row.addElement(cell)
        table.addElement(row)
    add(table)
    linked = odf_text.P()
    linked.addElement(odf_text.A(href=one['link'][1], text=one['link'][0]))
    noted = odf_text.Note(noteclass='footnote', id='n1')
    noted.addElement(odf_text.NoteCitation(text='1'))
    body = odf_text.NoteBody()
    body.addElement(odf_text.P(text=one['note']))
    noted.addElement(body)
    linked.addElement(noted)
    comment = office.Annotation()
    comment.addElement(dc.Creator(text='Eve'))
    comment.addElement(odf_text.P(text=one['header']))
    linked.addElement(comment)
    add(linked)
    name = f'odfpy-{language}.odt'
    doc.save(out / name)
    marks = {'1': '123', 'a': 'abc', 'I': ['I', 'II', 'III'], 'i': ['i', 'ii', 'iii'], 'A': 'ABC'}[number_format]
    items = [f'{mark}{suffix} {item}' for mark, item in zip(marks, one['items'])]
    inner = [f'{marks[1]}.{at + 1}. {item}' for at, item in enumerate(one['inner'])]
    said = [one['title'], *one['text'], *items, *inner, *one['link'], one['note'], one['header']]
    say(name, 'odfpy', said, one['table'])


for language, number_format, suffix in (('en', '1', '.'), ('de', 'a', ')'), ('es', 'I', '.'), ('ru', 'i', '.'), ('zh', 'A', ')')):
    odt(language, number_format, suffix)


def ods(language):
    """Values with the text of the program, dates in a form of their country, and values without any text."""
    one = content[language]
    doc = OpenDocumentSpreadsheet()
    table = odf_table.Table(name=one['table'][0][0])
    shown = [
        [({'valuetype': 'string'}, cell, cell) for cell in one['table'][0]],
        [({'valuetype': 'float', 'value': 950.5}, '950.50', '950.50'), ({'valuetype': 'percentage', 'value': 0.075}, '7.5%', '7.5%')],
        [({'valuetype': 'date', 'datevalue': '2026-03-01'}, '01.03.26', '2026-03-01')],
        [({'valuetype': 'date', 'datevalue': '2026-07-04T18:30:00'}, '4/7/26 18:30', '2026-07-04 18:30:00')],
        [({'valuetype': 'time', 'timevalue': 'PT42H30M00S'}, '42:30', '42:30:00')],
        [({'valuetype': 'boolean', 'booleanvalue': 'true'}, 'TRUE', 'TRUE')],
        [({'valuetype': 'currency', 'value': 19.99, 'currency': 'USD'}, '$19.99', '$19.99')],
        [({'valuetype': 'float', 'value': 4711}, None, '4711'), ({'valuetype': 'date', 'datevalue': '2025-12-31'}, None, '2025-12-31')],
        [({'valuetype': 'float', 'value': 1031.7, 'formula': 'of:=SUM([.A2:.A3])'}, '1031.7', '1031.7')],
        [({'valuetype': 'string'}, one['text'][0], one['text'][0])],
    ]
    for cells in shown:
        row = odf_table.TableRow()
        for attributes, text, _ in cells:
            cell = odf_table.TableCell(**attributes)
            if text is not None:
                cell.addElement(odf_text.P(text=text))
            row.addElement(cell)
        table.addElement(row)
    linked = odf_table.TableRow()
    cell = odf_table.TableCell(valuetype='string')
    line = odf_text.P()
    line.addElement(odf_text.A(href=one['link'][1], text=one['link'][0]))
    cell.addElement(line)
    linked.addElement(cell)
    table.addElement(linked)
    doc.spreadsheet.addElement(table)
    name = f'odfpy-{language}.ods'
    doc.save(out / name)
    say(name, 'odfpy', [one['table'][0][0], *one['link']], [[value for *_, value in cells] for cells in shown])


for language in ('en', 'de', 'el'):
    ods(language)


def odp(language):
    one = content[language]
    doc = OpenDocumentPresentation()
    layout = style.PageLayout(name='Layout')
    layout.addElement(style.PageLayoutProperties(margin='0cm', pagewidth='28cm', pageheight='21cm'))
    doc.automaticstyles.addElement(layout)
    doc.masterstyles.addElement(style.MasterPage(name='Master', pagelayoutname=layout))
    for title, texts in ((one['title'], one['text']), (one['header'], one['items'])):
        page = draw.Page(masterpagename='Master')
        for at, words in enumerate([title, *texts]):
            frame = draw.Frame(width='20cm', height='2cm', x='1cm', y=f'{1 + 3 * at}cm')
            box = draw.TextBox()
            box.addElement(odf_text.P(text=words))
            frame.addElement(box)
            page.addElement(frame)
        notes = presentation.Notes()
        frame = draw.Frame(width='10cm', height='5cm', x='1cm', y='12cm')
        box = draw.TextBox()
        box.addElement(odf_text.P(text=one['note']))
        frame.addElement(box)
        notes.addElement(frame)
        page.addElement(notes)
        doc.presentation.addElement(page)
    name = f'odfpy-{language}.odp'
    doc.save(out / name)
    say(name, 'odfpy', [one['title'], *one['text'], one['header'], *one['items'], one['note'], one['note']])


for language in ('en', 'pl', 'ja'):
    odp(language)

# --- PDF ---

from reportlab.pdfgen import canvas
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import getSampleStyleSheet, ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import ListFlowable, Paragraph, SimpleDocTemplate, Table

fonts = Path('/usr/share/fonts')
font_of = {
    'zh': fonts / 'truetype/wqy/wqy-zenhei.ttc',
    'ja': fonts / 'opentype/ipafont-gothic/ipag.ttf',
}
dejavu = fonts / 'truetype/dejavu/DejaVuSans.ttf'


def report(language):
    one = content[language]
    font = f'Font{language}'
    pdfmetrics.registerFont(TTFont(font, str(font_of.get(language, dejavu))))
    plain = ParagraphStyle('plain', fontName=font, fontSize=10, leading=14, wordWrap='CJK' if language in font_of else None)
    name = f'reportlab-{language}.pdf'
    doc = SimpleDocTemplate(str(out / name), pagesize=A5, invariant=1)
    flow = [Paragraph(one['title'], plain), *[Paragraph(text, plain) for text in one['text']]]
    flow.append(ListFlowable([Paragraph(item, plain) for item in one['items']], bulletType='1', bulletFormat='%s.'))
    flow.append(Table(one['table'], style=[('FONTNAME', (0, 0), (-1, -1), font)]))
    words, address = one['link']
    flow.append(Paragraph(f'<link href="{address}">{words}</link>', plain))

    def margins(page, _):
        page.setFont(font, 8)
        page.drawString(40, 560, one['header'])
        page.drawString(40, 30, one['footer'])

    doc.build(flow, onFirstPage=margins)
    items = [f'{at + 1}. {item}' for at, item in enumerate(one['items'])]
    cells = [cell for row in one['table'] for cell in row]
    say(name, 'reportlab', [one['header'], one['title'], *one['text'], *items, *cells, words, one['footer']])


for language in ('en', 'de', 'el', 'zh'):
    report(language)


def report_form():
    page = canvas.Canvas(str(out / 'reportlab-form.pdf'), pagesize=A5, invariant=1)
    form = page.acroForm
    page.drawString(40, 540, 'Application of a tenant')
    page.drawString(40, 500, 'Surname')
    form.textfield(name='surname', x=120, y=490, width=150, height=20, value='Lindqvist 77')
    page.drawString(40, 460, 'Married')
    form.checkbox(name='married', x=120, y=455, size=14, checked=True)
    page.drawString(40, 430, 'Smoker')
    form.checkbox(name='smoker', x=120, y=425, size=14, checked=False)
    page.drawString(40, 400, 'Country')
    form.choice(name='country', x=120, y=390, width=120, height=20, value='Chile', options=['Chile', 'Peru', 'Ghana'])
    page.drawString(40, 370, 'Pays by')
    for at, (value, label) in enumerate((('card', 'card'), ('cash', 'cash'))):
        form.radio(name='pays', value=value, selected=value == 'cash', x=120 + 80 * at, y=360, size=14)
        page.drawString(140 + 80 * at, 364, label)
    page.showPage()
    page.save()
    words = ['Application of a tenant', 'Surname Lindqvist 77', 'Married [x]', 'Smoker [ ]', 'Country Chile', 'Pays by [ ] card [x] cash']
    say('reportlab-form.pdf', 'reportlab', words)


report_form()

from fpdf import FPDF


def fpdf(language, extra=None):
    one = content[language]
    pdf = FPDF(format='A5')
    pdf.set_creation_date(d.datetime(2026, 11, 30, tzinfo=d.timezone.utc))
    pdf.add_font('Body', fname=str(font_of.get(language, dejavu)))
    pdf.set_font('Body', size=10)
    if language in ('ar', 'he'):
        pdf.set_text_shaping(True)
    pdf.add_page()
    pdf.cell(text=one['title'], new_x='LMARGIN', new_y='NEXT')
    for text in one['text']:
        pdf.multi_cell(0, text=text, new_x='LMARGIN', new_y='NEXT', align='R' if language in ('ar', 'he') else 'J')
    with pdf.table(first_row_as_headings=False) as table:
        for cells in one['table']:
            row = table.row()
            for cell in cells:
                row.cell(cell)
    said = [one['title'], *one['text'], *[cell for row in one['table'] for cell in row]]
    if extra:
        said += extra(pdf)
    name = f'fpdf2-{language}.pdf'
    pdf.output(str(out / name))
    say(name, 'fpdf2', said)


def notes(pdf):
    pdf.text_annotation(x=100, y=20, w=10, h=10, text='Ask Eve before 18:30')
    pdf.free_text_annotation('Paid in full on day 21', x=20, y=150, w=80, h=10)
    pdf.add_page()
    pdf.set_font('Helvetica', size=10)
    pdf.write_html('<h1>Second page 2</h1><ol><li>Wash 3 cups</li><li>Dry them</li></ol><p>The end of <b>story</b> 404.</p>')
    return ['Ask Eve before 18:30', 'Paid in full on day 21', 'Second page 2', '1. Wash 3 cups', '2. Dry them', 'The end of story 404.']


fpdf('es')
fpdf('en', notes)
for language in ('ru', 'tr', 'ar', 'he'):
    fpdf(language)

import weasyprint
from html import escape


def html_of(one, language, direction='ltr'):
    cells = ''.join('<tr>' + ''.join(f'<td>{escape(cell)}</td>' for cell in row) + '</tr>' for row in one['table'])
    items = ''.join(f'<li>{escape(item)}</li>' for item in one['items'][1:])
    inner = ''.join(f'<li>{escape(item)}</li>' for item in one['inner'])
    words, address = one['link']
    return (
        f'<html lang="{language}" dir="{direction}"><meta charset="utf-8"><style>@page{{size:A5}}body{{font:10pt DejaVu Sans,IPAGothic,WenQuanYi Zen Hei}}</style>'
        f'<h1>{escape(one["title"])}</h1><p>{escape(one["text"][0])}</p><p>{escape(one["text"][1])}</p>'
        f'<ol><li>{escape(one["items"][0])}<ol type="a">{inner}</ol></li>{items}</ol>'
        f'<table>{cells}</table><p><a href="{escape(address)}">{escape(words)}</a></p>'
    )


def words_of(one, with_address=False, marks='ab'):
    items = [f'{at + 1}. {item}' for at, item in enumerate(one['items'])]
    inner = [f'{mark}. {item}' for mark, item in zip(marks, one['inner'])]
    return [one['title'], *one['text'], items[0], *inner, *items[1:], *one['link'][: 2 if with_address else 1]]


for language in ('en', 'de', 'ru', 'he', 'ja'):
    one = content[language]
    name = f'weasyprint-{language}.pdf'
    direction = 'rtl' if language == 'he' else 'ltr'
    weasyprint.HTML(string=html_of(one, language, direction)).write_pdf(out / name)
    # It shows numbers in place of the letters.
    say(name, 'weasyprint', [*words_of(one, marks='12'), *[cell for row in one['table'] for cell in row]])

# --- HTML ---

def page(name, html, encoding, text, rows=()):
    (out / name).write_bytes(html.encode(encoding))
    say(name, 'Python', text, rows)


for language, encoding in (('ru', 'windows-1251'), ('el', 'iso-8859-7'), ('ja', 'shift_jis'), ('zh', 'gbk'), ('pl', 'iso-8859-2'), ('ar', 'utf-8')):
    one = content[language]
    html = html_of(one, language).replace('charset="utf-8"', f'charset="{encoding}"')
    page(f'html-{language}.html', html, encoding, words_of(one, True), one['table'])

page(
    'html-odd.html',
    '''<!DOCTYPE html><html><head><title>Not here</title><meta charset="utf-8"></head><body>
<!-- not this 1 --><h1>Kettles &amp; pots &mdash; 20&nbsp;% off</h1>
<p>Donau&shy;dampf, 10<sup>3</sup> grams, H<sub>2</sub>O at 5&#176;C &lt;hot&gt;</p>
<ol type="A" start="3"><li>Cup<li>Plate</ol><ol type="i"><li value="4">Pan</ol>
<pre>for (i = 0; i &lt; 7; i++) {
  go(i);
}</pre>
<table><caption>Prices of 2026</caption><thead><tr><th><p>Item</p></th><th><div>Price</div></th></tr></thead>
<tr><td><p>Tea pot</p><p>blue</p></td><td><p>19.99</p></td></tr>
<tr><td>Cup<br>small</td><td><ul><li>4.50</li></ul></td></tr></table>
<p>A <select name="s"><option>red</option><option selected>green</option></select> one, <input value="Ada 9"> and <input type="checkbox" checked> ticked
<input type="submit" value="Send 5"> <textarea>Note 61</textarea> <button>Go on</button></p>
<dl><dt>Weight</dt><dd>3 kg</dd></dl><p hidden>Hidden 99</p><details open><summary>More</summary>Depth 12 cm</details>
<p>Said <q>well done</q> and <del>old</del> <ins>new</ins> price<br>next line 8</p></body></html>''',
    'utf-8',
    [
        'Kettles & pots — 20 % off', 'Donaudampf, 10³ grams, H₂O at 5°C <hot>', 'C. Cup', 'D. Plate', 'iv. Pan',
        'for (i = 0; i < 7; i++) {', 'go(i);', '}', 'Prices of 2026', 'A green one, Ada 9 and [x] ticked', 'Send 5 Note 61 Go on',
        'Weight', '3 kg', 'More', 'Depth 12 cm', 'Said "well done" and old new price', 'next line 8',
    ],
    [['Item', 'Price'], ['Tea pot blue', '19.99'], ['Cup small', '- 4.50']],
)

# --- Mail ---

when = d.datetime(2026, 11, 27, 8, 15, tzinfo=d.timezone(d.timedelta(hours=1)))


def mail(name, one, build, others=()):
    """A mail from Eve. `build` gives it its body, and returns the words of it."""
    message = EmailMessage()
    message['From'] = 'Eve Adler <eve@example.org>'
    message['To'] = 'Ada Núñez <ada@example.org>, bob@example.org'
    message['Date'] = when
    message['Subject'] = one.get('subject', one['title'])
    text, rows = build(message)
    message_bytes = message.as_bytes()
    (out / name).write_bytes(message_bytes)
    heading = ['From: Eve Adler <eve@example.org>', 'To: Ada Núñez <ada@example.org>, bob@example.org', 'Date: 2026-11-27T07:15:00.000Z', f'Subject: {one.get("subject", one["title"])}']
    say(name, 'Python email', [*heading, *text], rows)


def plain(charset, encoding):
    def build(message, one=None):
        message.set_content('\n'.join([*language_of['text'], *language_of['items']]), charset=charset, cte=encoding)
        return [*language_of['text'], *language_of['items']], ()
    return build


for language, charset, encoding in (
    ('en', 'us-ascii', '7bit'), ('de', 'iso-8859-1', 'quoted-printable'), ('es', 'windows-1252', '8bit'), ('pl', 'iso-8859-2', 'base64'),
    ('ru', 'koi8-r', 'base64'), ('ja', 'iso-2022-jp', '7bit'), ('zh', 'gb18030', 'base64'), ('ar', 'utf-8', 'quoted-printable'),
):
    language_of = dict(content[language])
    if language in ('en', 'de', 'es') and charset != 'windows-1252':
        language_of['text'] = [text.replace('€', 'EUR') for text in language_of['text']]
    if language == 'ar':
        # Python loses a space between the parts of a long one.
        language_of['subject'] = language_of['header']
    mail(f'email-{language}.eml', language_of, plain(charset, encoding))


def alternative(message):
    one = content['de']
    message.set_content('\n'.join(one['text']))
    message.add_alternative(html_of(one, 'de'), subtype='html')
    return words_of(one, True), one['table']


def attached(message):
    one = content['tr']
    message.set_content(one['text'][0])
    message.add_attachment('ay;kira\nmayıs;18750\n', subtype='csv', filename='kira özeti.csv')
    book = Workbook()
    book.active.append(['Ağustos', 310.9])
    stream = io.BytesIO()
    book.save(stream)
    type = 'vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    message.add_attachment(stream.getvalue(), maintype='application', subtype=type, filename='isıtma.xlsx')
    message.add_attachment(b'\0\1\2' * 50, maintype='application', subtype='octet-stream', filename='veri.bin')
    return [one['text'][0], 'kira özeti.csv', 'isıtma.xlsx', 'veri.bin', 'ay;kira', 'mayıs;18750'], [['Ağustos', '310.9']]


def nested(message):
    one = content['el']
    inner = EmailMessage()
    inner['From'] = 'Νίκος <nikos@example.org>'
    inner['To'] = 'eve@example.org'
    inner['Subject'] = one['header']
    inner.set_content(one['text'][1])
    inner.add_attachment('σημείωση 33\n', filename='σημείωση.txt')
    message.set_content(one['text'][0])
    message.add_attachment(inner)
    return [one['text'][0], 'From: Νίκος <nikos@example.org>', one['header'], one['text'][1], 'σημείωση 33'], ()


def invitation(message):
    message.set_content('Come at half past nine, room 204.')
    message.add_attachment('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Handover 14\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n', subtype='calendar', filename='invite.ics')
    return ['Come at half past nine, room 204.', 'SUMMARY:Handover 14'], ()


def related(message):
    message.set_content('See the picture of room 7.')
    message.add_alternative('<p>See the picture of <b>room 7</b>: <img src="cid:p1"></p>', subtype='html')
    message.get_payload()[1].add_related(b'GIF89a' + b'\0' * 20, 'image', 'gif', cid='<p1>')
    return ['See the picture of room 7'], ()


mail('email-alternative.eml', content['de'], alternative)
mail('email-attached.eml', content['tr'], attached)
mail('email-nested.eml', content['el'], nested)
mail('email-invitation.eml', content['en'], invitation)
mail('email-related.eml', content['en'], related)

# --- Text ---

def plain_text(name, text, encoding, mark=b''):
    (out / name).write_bytes(mark + text.encode(encoding))
    say(name, 'Python', text.splitlines())


def letter(language):
    one = content[language]
    return '\n'.join([one['title'], '', *one['text'], *[f'{at + 1}. {item}' for at, item in enumerate(one['items'])], *one['inner'], one['note'], one['footer'], ''])


for language, encoding, mark in (
    ('en', 'ascii', b''), ('de', 'utf-8', b'\xef\xbb\xbf'), ('de', 'windows-1252', b''), ('es', 'iso-8859-15', b''), ('pl', 'windows-1250', b''),
    ('pl', 'iso-8859-2', b''), ('el', 'iso-8859-7', b''), ('el', 'utf-16-le', b'\xff\xfe'), ('ru', 'koi8-r', b''), ('ru', 'windows-1251', b''),
    ('ru', 'utf-16-be', b'\xfe\xff'), ('tr', 'iso-8859-9', b''), ('ar', 'windows-1256', b''), ('he', 'windows-1255', b''), ('zh', 'gbk', b''),
    ('zh', 'utf-16-le', b'\xff\xfe'), ('ja', 'shift_jis', b''), ('ja', 'euc_jp', b''), ('ja', 'iso2022_jp', b''), ('hi', 'utf-8', b''),
    ('de', 'utf-16-le', b''), ('en', 'utf-32-le', b'\xff\xfe\0\0'),
):
    text = letter(language)
    if encoding == 'iso-8859-7':
        text = text.replace('€', 'ευρώ')
    plain_text(f'text-{language}-{encoding.replace("_", "-")}{"-marked" if mark else ""}.txt', text, encoding, mark)
traditional = '台北市梧桐路72號公寓租賃合約\n每月租金為26800元，應在每月5日之前支付。\n交屋當天電表讀數為20957，面積為83.5平方公尺，合約有效期為24個月。\n大門鑰匙兩把，地下室鑰匙一把，車庫遙控器。\n'
plain_text('text-zh-big5.txt', traditional, 'big5')
korean = '단풍로 84번지 아파트 임대 계약서\n월세는 750000원이며 매월 25일까지 지불합니다.\n인도하는 날 계량기는 41906을 가리켰고 보증금은 1500000원입니다.\n현관 열쇠 두 개, 지하실 열쇠 한 개, 차고 리모컨.\n'
plain_text('text-ko-euc-kr.txt', korean, 'euc_kr')

plain_text('rent.csv', '"Monat";"Miete";"Bemerkung"\n"März";1234,50;"mit ""Rabatt"" von 5 %"\n"Juli";1240,00;"zwei\nZeilen"\n', 'windows-1252')
plain_text('rent.tsv', 'Month\tRent\nMay\t950.50\nJune\t00951\n', 'utf-8')
plain_text('flat.json', json.dumps({'rent': 950.5, 'id': '00042', 'rooms': [{'name': 'Küche', 'area': 12.75}], 'big': 12345678901234567}, ensure_ascii=False, indent=1), 'utf-8')
plain_text('flat.md', '# Flat 14\n\n1. Two keys\n2. One opener\n\n| a | b |\n|---|---|\n| 5 | 6.5 |\n\n```js\nlet x = 42;\n```\n', 'utf-8')
plain_text('heat.py', '# -*- coding: iso-8859-1 -*-\n# Größe der Wohnung\ndef heat(kwh=0.27):\n    return "Übergabe %d" % (kwh * 48213)\n', 'iso-8859-1')
plain_text('film.srt', '1\n00:00:01,500 --> 00:00:04,000\n¿Dónde está la llave 19?\n\n2\n00:00:05,250 --> 00:00:07,900\nEn el sótano, señora Núñez.\n', 'windows-1252')
plain_text('handover.ics', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nDTSTART:20261203T093000Z\r\nSUMMARY:Übergabe der Wohnung 8\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n', 'utf-8')
plain_text('eve.vcf', 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Eve Núñez\r\nTEL;TYPE=cell:+34 600 123 456\r\nEND:VCARD\r\n', 'utf-8')
plain_text('flat.yaml', 'flat:\n  rent: 950.50\n  keys: [front, cellar]\n  note: "Zażółć gęślą jaźń 6"\n', 'utf-8')
plain_text('flat.toml', '[flat]\nrent = 950.50\nopened = 2026-03-01\nname = "桜通り56"\n', 'utf-8')
plain_text('server-log.txt', '2026-11-30T12:43:06.512Z INFO  started port=8080\n2026-11-30T12:43:07.001Z ERROR code=0x1F4 "not found" 404\n', 'utf-8')
plain_text('flat.xml', '<?xml version="1.0" encoding="windows-1251"?>\n<flat><rent>62500,00</rent><street>Щёлковская 45</street></flat>\n', 'windows-1251')
plain_text('ledger.sql', "INSERT INTO rent (month, eur) VALUES ('Μάιος', 640.00), ('Ιούνιος', 641.25);\n", 'utf-8')

path = out / 'expected.json'
known = json.loads(path.read_text()) if path.exists() else {}
path.write_text(json.dumps(dict(sorted({**known, **entries}.items())), ensure_ascii=False, indent=1) + '\n')
print(len(entries), 'files')
