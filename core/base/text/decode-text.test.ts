import { decodeText } from './decode-text';

/** The bytes of characters that have one byte each. */
const bytesOf = (encoding: string, text: string): Buffer => {
  const letters = new Map<string, number>();
  for (let byte = 255; byte >= 0; byte--) letters.set(decodeByte(encoding, byte), byte);
  return Buffer.from([...text].map((letter) => letters.get(letter)!));
};
const decodeByte = (encoding: string, byte: number): string =>
  (encoding === 'windows-1252' && windows[byte]) || new TextDecoder(encoding).decode(Buffer.from([byte]));
/** What Node 20 does not decode. */
const windows: Record<number, string> = { 128: '€', 147: '“', 148: '”' };
const read = (bytes: Uint8Array) => decodeText(bytes, true);
const big = (text: string) => Buffer.from(text, 'utf16le').swap16();
const fourBytes = (text: string, write: 'writeUInt32LE' | 'writeUInt32BE') =>
  Buffer.concat(
    [...`\uFEFF${text}`].map((letter) => {
      const bytes = Buffer.alloc(4);
      bytes[write](letter.codePointAt(0)!);
      return bytes;
    }),
  );

test.each([
  ['UTF-8 with its mark', Buffer.from('\uFEFFGröße 5 €'), 'utf-8'],
  ['UTF-16 with its mark', Buffer.from('\uFEFFGröße 5 €', 'utf16le'), 'utf-16le'],
  ['UTF-16 with the other mark', big('\uFEFFGröße 5 €'), 'utf-16be'],
  ['UTF-16 without a mark', Buffer.from('Größe 5 €', 'utf16le'), 'utf-16le'],
  ['UTF-16 without a mark, the high byte first', big('Größe 5 €'), 'utf-16be'],
  ['UTF-32', fourBytes('Größe 5 €', 'writeUInt32LE'), 'utf-32le'],
  ['UTF-32, the high byte first', fourBytes('Größe 5 €', 'writeUInt32BE'), 'utf-32be'],
])('text in %s is read by what it begins with, and is no guess (R271)', (_name, bytes, encoding) => {
  expect(read(bytes)).toEqual({ text: 'Größe 5 €', encoding, isGuess: false, unreadable: 0 });
});

test.each([
  ['HTML', 'windows-1251', '<html><head><meta charset="windows-1251"></head><p>Договор № 5</p>'],
  ['old HTML', 'koi8-r', '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>Договор'],
  ['XML', 'windows-1251', '<?xml version="1.0" encoding="cp1251"?><a>Договор</a>'],
  ['CSS', 'iso-8859-2', '@charset "iso-8859-2"; .a::before { content: "Łódź" }'],
  ['code', 'iso-8859-15', '#!/usr/bin/python\n# -*- coding: iso-8859-15 -*-\nprint("5 €")'],
])('%s is read in %s, which it declares (R271)', (_name, encoding, text) => {
  expect(read(bytesOf(encoding, text))).toEqual({ text, encoding, isGuess: false, unreadable: 0 });
});

test.each([
  ['windows-1252', 'name;price\nCafé;5 €\n“Größe”;7'],
  ['windows-1251', 'Договор аренды квартиры. Арендатор обязуется вносить плату ежемесячно.'],
  ['windows-1253', 'Το συμβόλαιο ενοικίασης ισχύει για δύο χρόνια και ανανεώνεται αυτόματα.'],
])('what says nothing is guessed to be %s, and said to be a guess (R271)', (encoding, text) => {
  const expected = { text, encoding, isGuess: true, unreadable: 0 };
  expect(read(bytesOf(encoding, text))).toEqual({ ...expected, encoding: expect.any(String) });
});

test('a euro tells ISO 8859-15 from windows-1252, which has its own elsewhere (R271)', () => {
  const text = 'El alquiler es de 875 € al mes, y la señora Núñez paga el 50 % de la calefacción.';
  for (const encoding of ['iso-8859-15', 'windows-1252'])
    expect(read(bytesOf(encoding, text))).toMatchObject({ text, encoding, isGuess: true });
});

test('Japanese is read in the encodings of its mails and of Windows (R271)', () => {
  const mail = '1b2442467c4b5c386c244e2546252d253925482447243921232433246c244f37404c733d712447243921231b2842';
  const ofWindows = '93fa967b8cea82cc8365834c8358836782c582b7814282b182ea82cd8c5f96f18f9182c582b78142';
  for (const bytes of [mail, ofWindows])
    expect(read(Buffer.from(bytes, 'hex')).text).toBe('日本語のテキストです。これは契約書です。');
});

test('a few bytes that are no UTF-8 cost themselves only, and are counted (R271)', () => {
  const bytes = Buffer.concat([Buffer.from('Größe, Übergröße '), Buffer.from([0xff, 0x41]), Buffer.from(' – fünf')]);
  expect(read(bytes)).toEqual({
    text: 'Größe, Übergröße \uFFFDA – fünf',
    encoding: 'utf-8',
    isGuess: false,
    unreadable: 1,
  });
});

test('a character that is cut off at the end of a part is left out (R271)', () => {
  const bytes = Buffer.from('Für 5 €').subarray(0, -1);
  expect(decodeText(bytes, false)).toMatchObject({ text: 'Für 5 ', unreadable: 0 });
  expect(decodeText(bytes, true).text).toBe('Für 5 \uFFFD');
});

test('what begins with a declaration of an unknown encoding, and no text at all, is read (R271)', () => {
  expect(read(Buffer.from('<?xml version="1.0" encoding="nonsense"?><a>Caf\xe9</a>', 'latin1')).text).toContain('Café');
  expect(read(Buffer.alloc(0))).toEqual({ text: '', encoding: 'utf-8', isGuess: false, unreadable: 0 });
});
