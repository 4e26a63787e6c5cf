import { contentDisposition } from './content-disposition';

test.each([
  ['report.pdf', `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`],
  ['Reçu 1.pdf', `attachment; filename="Re_u 1.pdf"; filename*=UTF-8''Re%C3%A7u%201.pdf`],
  ['a"; filename="b.exe', `attachment; filename="a_; filename=_b.exe"; filename*=UTF-8''a%22%3B%20filename%3D%22b.exe`],
  ['a\r\nset-cookie: x', `attachment; filename="aset-cookie_ x"; filename*=UTF-8''aset-cookie_%20x`],
  ['../../etc/passwd', `attachment; filename=".._.._etc_passwd"; filename*=UTF-8''.._.._etc_passwd`],
  ["it's (50%)*.txt", `attachment; filename="it's (50_)*.txt"; filename*=UTF-8''it%27s%20%2850%25%29%2A.txt`],
  ['photo\u202Egpj.exe', `attachment; filename="photogpj.exe"; filename*=UTF-8''photogpj.exe`],
  ['half \uD83D', `attachment; filename="half _"; filename*=UTF-8''half%20%EF%BF%BD`],
  ['..', 'attachment'],
  ['', 'attachment'],
])('%j is a name that ends no header (R211)', (name, header) => expect(contentDisposition(false, name)).toBe(header));

test('a long name keeps its extension, and only what is asked for is shown in the browser (R211)', () => {
  expect(contentDisposition(true, `${'é'.repeat(500)}.pdf`)).toMatch(/^inline; filename="_{146}\.pdf"; /);
  expect(contentDisposition(true, 'x'.repeat(500))).toContain(`"${'x'.repeat(150)}"`);
});
