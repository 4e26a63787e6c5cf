"""Makes the samples that README.md lists. Run it in an empty folder and move what is to be kept."""

import datetime as d

from docx import Document
from docx.shared import RGBColor
from openpyxl import Workbook
from openpyxl.comments import Comment
from pptx import Presentation
from pptx.util import Inches

doc = Document()
doc.add_heading('Lease', 1)
doc.add_paragraph('The rent is 950 EUR.')
table = doc.add_table(2, 2)
for row, cells in enumerate([['Month', 'Paid'], ['May', '950']]):
    for column, text in enumerate(cells):
        table.cell(row, column).text = text
doc.add_paragraph().add_run('White words').font.color.rgb = RGBColor(255, 255, 255)
doc.add_paragraph().add_run('Hidden words').font.hidden = True
signed = doc.add_paragraph('Signed')
doc.add_comment(signed.runs, text='Who signed?', author='Eve', initials='E')
doc.sections[0].header.paragraphs[0].text = 'Draft 3'
# The rest of the template is large.
for style in [*doc.styles]:
    if style.name not in ('Normal', 'Heading 1', 'Default Paragraph Font', 'Normal Table'):
        style.delete()
large = ('thumbnail', 'stylesWithEffects', 'customXml', 'theme', 'numbering')
for part in (doc.part.package, doc.part):
    for id, relation in [*part.rels.items()]:
        if any(word in relation.reltype for word in large):
            part.rels.pop(id)
doc.save('lease.docx')

book = Workbook()
trip = book.active
trip.title = 'Trip'
trip.append(['Day', 'What', 'EUR'])
trip.append([d.date(2026, 3, 1), 'Museum', 12.5])
trip.append([d.datetime(2026, 3, 2, 9, 30), 'Taxi & tip', 30])
trip['C5'] = '=SUM(C2:C3)'
trip['E5'] = True
trip['B2'].comment = Comment('Two tickets', 'Eve')
trip.row_dimensions[3].hidden = True
notes = book.create_sheet('Notes')
notes.sheet_state = 'hidden'
notes['A1'] = 'Hidden sheet'
book.save('trip-openpyxl.xlsx')

talk = Presentation()
second = talk.slides.add_slide(talk.slide_layouts[0])
second.shapes.title.text = 'Second'
second.placeholders[1].text = 'Thank you'
second._element.set('show', '0')
first = talk.slides.add_slide(talk.slide_layouts[5])
first.shapes.title.text = 'First'
first.notes_slide.notes_text_frame.text = 'Say hello'
cells = first.shapes.add_table(1, 2, 0, 0, Inches(1), Inches(1)).table
cells.cell(0, 0).text = 'May'
cells.cell(0, 1).text = '950'
order = talk.slides._sldIdLst
order.insert(0, order[1])
used = {slide.slide_layout.name for slide in talk.slides}
for layout in [*talk.slide_layouts]:
    if layout.name not in used:
        talk.slide_layouts.remove(layout)
for id, relation in [*talk.part.package._rels.items()]:
    if 'thumbnail' in relation.reltype:
        talk.part.package._rels.pop(id)
talk.save('talk.pptx')
